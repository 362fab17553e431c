/** A file that someone saved since Parlor was started. `broken`: it stopped, or is not as long as it was said to be. */
export type Download = {
  readonly id: string
  readonly name: string
  readonly state: 'running' | 'done' | 'broken'
  readonly receivedBytes: number
  /** 0 while no one knows. */
  readonly totalBytes: number
  /** When it was asked for. Epoch milliseconds. */
  readonly at: number
}
