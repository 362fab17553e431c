/** A file saved since Parlor was started. `broken`: it stopped, or is shorter than announced. */
export type Download = {
  readonly id: string
  readonly name: string
  readonly state: 'running' | 'done' | 'broken'
  readonly receivedBytes: number
  /** 0 while unknown. */
  readonly totalBytes: number
  /** When it was requested. Epoch milliseconds. */
  readonly at: number
}
