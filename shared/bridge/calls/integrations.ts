import * as v from 'valibot'
import {
  COMMAND_HINT_LENGTH,
  COMMAND_NAME_LENGTH,
  INTEGRATION_EVENTS,
  INTEGRATION_KINDS,
  INTEGRATION_NAME_LENGTH,
  INTEGRATION_URL_LENGTH,
  type Integration,
  type ProgramCall,
  type TestResult,
} from '../../domain/manage/integrations.ts'
import { call } from '../../lib/contract.ts'
import { cid, line, nothing, shortText } from '../schemas.ts'

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const ids = v.pipe(v.array(id), v.minLength(1), v.maxLength(200))
const name = v.pipe(line, v.maxLength(INTEGRATION_NAME_LENGTH))
const url = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(INTEGRATION_URL_LENGTH))
const fields = {
  /** `null`: every open channel. */
  cid: v.optional(v.nullable(cid)),
  url: v.optional(url),
  hint: v.optional(v.pipe(shortText, v.trim(), v.maxLength(COMMAND_HINT_LENGTH))),
  events: v.optional(
    v.pipe(v.array(v.picklist(INTEGRATION_EVENTS)), v.minLength(1), v.maxLength(INTEGRATION_EVENTS.length)),
  ),
}
/** Without the slash. */
const command = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]*$/), v.maxLength(COMMAND_NAME_LENGTH))

/**
 * Programs that take part in a workspace of our own kind, for its administrators. All need a connection and reject with
 * `network/offline`, `manage/not-allowed`, `integrations/gone` for one that is not there, or the server's own refusal.
 */
export const integrations = {
  /** Those in use, and those that were revoked in the last 30 days, oldest first. */
  list: call<readonly Integration[]>()(nothing),
  /**
   * `secret`: the whole address of an incoming webhook, a new key, or what calls are signed with. Rejects with
   * `integrations/taken` for a command that exists, `integrations/address` for an address that cannot be called,
   * `integrations/other-device` for an address that is set from another device than the server's,
   * `integrations/channel` for a channel that its maker cannot use so.
   */
  create: call<{ readonly integration: Integration; readonly secret: string }>()(
    v.object({ kind: v.picklist(INTEGRATION_KINDS), name, ...fields, command: v.optional(command) }),
  ),
  /** Changes what is given; rejects as `create` does. */
  change: call<Integration>()(v.object({ id, name: v.optional(name), ...fields })),
  /** While it is paused nothing is posted, called or read. */
  pause: call<void>()(v.object({ ids, paused: v.boolean() })),
  /** Ends them for good, at once. */
  revoke: call<void>()(v.object({ ids })),
  /** The address of an incoming webhook, or what calls are signed with. Keys are never shown again. */
  reveal: call<string>()(v.object({ id })),
  /** Of the last 7 days, newest first; 200 at most. */
  calls: call<readonly ProgramCall[]>()(v.object({ id })),
  /** Tries the first waiting event now. */
  retry: call<void>()(v.object({ id })),
  /** `text`: what an incoming webhook posts. What happens is real. */
  test: call<TestResult>()(v.object({ id, text: line })),
  /** Whether a program answers at an address that no integration has yet. Rejects with `integrations/address`. */
  probe: call<TestResult>()(v.object({ kind: v.picklist(['outgoing', 'command']), url })),
}
