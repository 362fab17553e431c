import { classify, type Verdict } from '../api/errors.ts'
import type { Frame } from './envelope.ts'

export type ErrorFrame = Extract<Frame, { kind: 'error' }>

export const verdictOf = (frame: ErrorFrame): Verdict =>
  classify({
    kind: 'answer',
    status: frame.status,
    wireCode: frame.code,
    message: frame.message,
    unrecoverable: frame.unrecoverable,
  })

type Tried = {
  readonly code: number | undefined
  /** Whether the token can be replaced by a new one. */
  readonly mayRenew: boolean
  readonly renewals: number
  readonly onFallback: boolean
}

/**
 * What to do after a rejected handshake: renew the token, retry with back-off, retry slowly until the clocks agree, or
 * wait for the user. See docs/wire.md 2.4.
 */
export function refusedStep(verdict: Pick<Verdict, 'class'>, tried: Tried): 'renew' | 'again' | 'clock' | 'block' {
  switch (verdict.class) {
    case 'token':
      if (!tried.mayRenew) return 'block'
      return tried.code === 40 || tried.renewals === 0 ? 'renew' : 'block'
    case 'clock':
      return 'clock'
    case 'server':
    case 'rate':
      // An overloaded server also responds with an error frame; blocking would leave users offline after it recovers.
      return 'again'
    case 'auth':
    case 'refused':
      return 'block'
    case 'aborted':
    case 'connection-id':
    case 'cooldown':
    case 'exists':
    case 'forbidden':
    case 'gone':
    case 'invalid':
    case 'network':
      // A server without long-polling rejects it; that says nothing about the websocket.
      return tried.onFallback ? 'again' : 'block'
  }
}
