/** A transient message to the user. Texts and types: docs/wire.md, appendix C; recorded in a log. */
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
  /** Stays until it is dismissed or {@link over}, however long that takes. */
  readonly lasting?: true
  /** Its cause has ended; from then on only the log shows it. */
  readonly over?: true
}
