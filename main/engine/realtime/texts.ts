/** Texts of the contract (docs/wire.md, appendix C), for the log and the details of a failure. */
export const CONNECT_TWICE = "You've called connect twice, can only attempt 1 connection at the time"
export const NO_INITIAL_CONNECTION = 'initial WS connection could not be established'
export const wsFailed = (code: number, reason: string): string => `WS failed with code ${code} and reason - ${reason}`
