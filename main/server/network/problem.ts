/** The network port cannot be opened as asked. The message is shown to the operator and says what to do. */
export class NetworkProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'NetworkProblem'
  }
}
