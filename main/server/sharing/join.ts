import * as v from 'valibot'
import { PERSON_NAME_LENGTH } from '#shared/constants.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { isSame } from '#shared/lib/same.ts'
import { JOIN_PATHS, SHARING_VERSION, type Hello, type JoinAnswer, type MovedAnswer } from '#shared/wire/sharing.ts'
import { invitationKey, invitationProof } from '#main/lib/invitation-proof.ts'
import { callerOf } from '../http/caller.ts'
import { refuse } from '../http/refusal.ts'
import { readJson, sendJson, type Incoming, type Special } from '../http/server.ts'
import { line, read } from '../http/shapes.ts'
import { transact, type Services } from '../work.ts'
import { usableInvitation } from './invitations.ts'
import { answerTo, ask, cancel } from './requests.ts'

const random = v.pipe(v.string(), v.regex(/^[\w-]{22}$/))
const secret = v.pipe(v.string(), v.regex(/^[\w-]{11,22}$/))

const helloBody = v.object({ version: v.number(), id: random, nonce: random })
/** The owner decides by the name: it must not look like another one. */
const name = v.pipe(
  v.string(),
  v.transform((text) => cleanName(text)),
  line(PERSON_NAME_LENGTH),
)
const askBody = v.object({ id: random, secret, name, request: random })
const requestBody = v.object({ request: random })

/** What those who join are shown of a workspace before they ask. */
type Host = { readonly workspace: string; readonly owner: string; readonly approve: boolean }

type JoinOptions = {
  /** Those of the port of the network. */
  readonly services: Services
  /** SHA-256 of the certificate of this port, base64url. */
  readonly fingerprint: string
  readonly host: Host
  /** Someone waits or has come in, or no longer waits. */
  readonly changed: () => void
}

type Call = (body: object, address: string) => object | Promise<object>

/**
 * What a stranger may ask on the port of the network, without a token. A wrong invitation counts as a refused sign-in, so
 * that guessing soon blocks an address.
 */
export function joining({ services, fingerprint, host, changed }: JoinOptions): Special {
  const calls: Readonly<Record<string, Call>> = {
    [JOIN_PATHS.hello]: (body) => hello(read(helloBody, body)),
    [JOIN_PATHS.ask]: (body, address) => askNow(read(askBody, body), address),
    [JOIN_PATHS.answer]: (body) => transact(services, (work) => answerTo(work, read(requestBody, body).request)),
    [JOIN_PATHS.cancel](body) {
      if (transact(services, (work) => cancel(work, read(requestBody, body).request))) changed()
      return {}
    },
    // It is here.
    [JOIN_PATHS.where]: (): MovedAnswer => ({}),
  }

  function hello({ version, id, nonce }: v.InferOutput<typeof helloBody>): Hello {
    if (version !== SHARING_VERSION) {
      refuse('featureNotSupported', 'this is another version', { version: String(SHARING_VERSION) })
    }
    const { invitation, key } = transact(services, ({ db, now }) => usableInvitation(db, id, now))
    return {
      ...host,
      version: SHARING_VERSION,
      proof: invitationProof(key.key, nonce, fingerprint),
      role: invitation.role,
      api_key: services.apiKey,
    }
  }

  async function askNow(given: v.InferOutput<typeof askBody>, address: string): Promise<JoinAnswer> {
    const { id, name: asked, request } = given
    const known = transact(services, (work) => answerTo(work, request))
    if (known.state !== 'gone') return known
    const { key } = transact(services, ({ db, now }) => usableInvitation(db, id, now))
    // Slow, so that guessing is; computed only for those who know the identifier, so that strangers cannot use it up.
    if (!isSame(await invitationKey(given.secret), key)) {
      refuse('authentication', 'there is no such invitation', { invitation: 'wrong' })
    }
    const answer = transact(services, (work) => ask(work, { keyId: id, name: asked, request, address }, host.approve))
    changed()
    return answer
  }

  async function respond(call: Call, { request, response, count }: Incoming): Promise<void> {
    const address = callerOf(request, services)
    count({ userId: address, role: 'anonymous', banned: false, server: false, expiresAtMs: undefined }, 'Join')
    sendJson(response, 200, await call(await readJson(request, services), address))
  }

  return (incoming) => {
    const { request, url } = incoming
    if (request.method !== 'POST' || !Object.hasOwn(calls, url.pathname)) return undefined
    const call = calls[url.pathname]
    return call && { operation: 'Join', run: () => respond(call, incoming) }
  }
}
