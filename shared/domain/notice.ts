/** A transient message to the user. Texts and types: behaviour spec, section 8; kept in a log. */
export type Notice = {
  readonly id: string
  /** Locale code of the text. */
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
  readonly detail?: string
  /** For example `api:attachment:upload:failed`. */
  readonly type: string
  readonly severity: 'error' | 'warning' | 'info' | 'success'
  readonly createdAt: number
  /** Does not go with time: it stands until it is put away or {@link over}. */
  readonly lasting?: true
  /** What it told of has ended; the log keeps it. */
  readonly over?: true
}
