import type { IntegrationEvent, IntegrationKind, CallOutcome } from '../domain/manage/integrations.ts'
import { endpoint, type None } from './endpoint.ts'

/**
 * Programs that take part in a workspace: an extension of our own local server, unknown to the contract. For
 * administrators. Source: ADR 49.
 */
export type WireIntegration = {
  readonly id: string
  readonly kind: IntegrationKind
  readonly name: string
  /** Of an incoming webhook where it posts; of an outgoing one what it listens to, absent: every open channel. */
  readonly cid?: string
  /** The address that the server calls. */
  readonly url?: string
  /** Without the slash. */
  readonly command?: string
  /** Shown while the command is typed. */
  readonly hint?: string
  readonly events?: readonly IntegrationEvent[]
  /** The address of an incoming webhook without its secret. */
  readonly address?: string
  /** The first characters of a key. */
  readonly key_start?: string
  readonly created_by: string
  /** RFC 3339, as all times here. */
  readonly created_at: string
  readonly paused?: true
  readonly revoked_at?: string
  /** Failures in a row. */
  readonly fails: number
  /** Events that wait for a program: how often the first one was tried, and when it is tried next. */
  readonly waiting?: { readonly count: number; readonly tries: number; readonly of: number; readonly next_at: string }
  readonly last_call_at?: string
  readonly last_outcome?: CallOutcome
}

export type WireProgramCall = {
  readonly id: number
  readonly at: string
  /** Milliseconds. */
  readonly took: number
  /** Of the HTTP response; absent: there was none. */
  readonly status?: number
  readonly outcome: CallOutcome
  /** The beginning of the text, or the name of the event. */
  readonly what: string
  /** Who called: an address, or `parlor` for calls of the server itself. */
  readonly source: string
  /** The beginning of a refused request. */
  readonly request?: string
}

export type WireTestResult = {
  readonly outcome: CallOutcome
  readonly status?: number
  readonly took: number
  /** The beginning of the answer. */
  readonly answer?: string
  /** Of an incoming webhook: what it posted. */
  readonly cid?: string
  readonly message_id?: string
  /** Of a key: how many channels it reads. */
  readonly count?: number
}

type IntegrationFields = {
  readonly name?: string
  readonly cid?: string | null
  readonly url?: string
  readonly command?: string
  readonly hint?: string
  readonly events?: readonly IntegrationEvent[]
}

export type IntegrationAction =
  | { readonly action: 'list' }
  | ({ readonly action: 'create'; readonly kind: IntegrationKind } & IntegrationFields)
  | ({ readonly action: 'change'; readonly id: string } & Omit<IntegrationFields, 'command'>)
  | { readonly action: 'pause'; readonly ids: readonly string[]; readonly paused: boolean }
  | { readonly action: 'revoke'; readonly ids: readonly string[] }
  | { readonly action: 'reveal'; readonly id: string }
  | { readonly action: 'calls'; readonly id: string }
  /** Tries the first waiting event now. */
  | { readonly action: 'retry'; readonly id: string }
  /** `text`: what an incoming webhook posts. */
  | { readonly action: 'test'; readonly id: string; readonly text: string }
  /** Whether a program answers at an address, before it is created. */
  | { readonly action: 'probe'; readonly kind: 'outgoing' | 'command'; readonly url: string }

export type IntegrationReply = {
  readonly integrations?: readonly WireIntegration[]
  readonly integration?: WireIntegration
  /** The address of an incoming webhook, the secret that calls are signed with, or a new key: the only time it is sent. */
  readonly secret?: string
  readonly calls?: readonly WireProgramCall[]
  readonly test?: WireTestResult
}

export const changeIntegrations = endpoint('POST', '/integrations', 'Integrations')<
  None,
  IntegrationAction,
  IntegrationReply
>()
