import { lookup } from 'node:dns/promises'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { INTEGRATION_URL_LENGTH, type CallOutcome } from '#shared/domain/manage/integrations.ts'
import type { Clock } from '#main/lib/clock.ts'
import { codeOf } from '#main/lib/disk-error.ts'
import { request as requestHttp } from '#main/lib/node-http.ts'

/** How the server calls programs. Tests may use an implementation that stays on this machine. */
export type ProgramNet = {
  /** Every address of a name; rejects when there is none. */
  resolve(host: string): Promise<readonly string[]>
  /** Posts to exactly this address with the URL's host name, and follows no redirects. */
  post(url: URL, address: string, sent: Sent, signal: AbortSignal): Promise<ProgramReply>
}

type Sent = { readonly body: string; readonly headers: Readonly<Record<string, string>> }
type ProgramReply = {
  readonly status: number
  readonly contentType: string
  readonly body: AsyncIterable<Uint8Array>
}

/** What a program answered, or why it did not. */
export type ProgramAnswer =
  | {
      readonly ok: true
      readonly status: number
      readonly contentType: string
      readonly text: string
      readonly took: number
    }
  | { readonly ok: false; readonly outcome: CallOutcome; readonly status?: number; readonly took: number }

/**
 * Addresses that lead to no program: "this host", the metadata services of clouds (link-local, and those that some clouds
 * have elsewhere) and groups of machines. Loopback and private networks are allowed: programs are there.
 */
const REFUSED: readonly (readonly [network: string, bits: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
  ['fd00:ec2::', 32, 'ipv6'],
  ['fd20:ce::', 32, 'ipv6'],
  // IPv4 in IPv6, which would name a refused address in other words
  ['::ffff:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2002::', 16, 'ipv6'],
]
const refused = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, bits, family] of REFUSED) refused[family].addSubnet(network, bits, family)

/** Whether a program may be called at this address. */
function isCallable(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  return family === 4 ? !refused.ipv4.check(address, 'ipv4') : !refused.ipv6.check(address, 'ipv6')
}

/** The URL of a program, if it may be called as far as its text tells. */
export function programUrl(text: string): URL | undefined {
  if (text.length > INTEGRATION_URL_LENGTH || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.username !== '' || url.password !== '' || url.hostname === '' || url.hash !== '') return undefined
  const literal = bare(url.hostname)
  return isIP(literal) !== 0 && !isCallable(literal) ? undefined : url
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

const PROGRAM_TIMEOUT_MS = 5_000
/** Of an answer; more is not read. */
const MAX_ANSWER_BYTES = 64 * 1024

class Ended extends Error {
  readonly outcome: CallOutcome
  readonly status: number | undefined

  constructor(outcome: CallOutcome, status?: number) {
    super(outcome)
    this.name = 'Ended'
    this.outcome = outcome
    this.status = status
  }
}

/** Calls a program. Never rejects: what went wrong is part of the answer. */
export async function callProgram(
  text: string,
  sent: Sent,
  { net, clock }: { readonly net: ProgramNet | undefined; readonly clock: Clock },
): Promise<ProgramAnswer> {
  const started = clock.monotonic()
  const took = () => Math.round(clock.monotonic() - started)
  const abort = new AbortController()
  const stop = clock.after(PROGRAM_TIMEOUT_MS, () => abort.abort(new Ended('timeout')))
  try {
    return { ok: true, ...(await answerAt(text, sent, net, abort.signal)), took: took() }
  } catch (error) {
    const reason: unknown = abort.signal.aborted ? abort.signal.reason : error
    const { outcome, status } = reason instanceof Ended ? reason : new Ended('unreachable')
    return { ok: false, outcome, took: took(), ...(status === undefined ? {} : { status }) }
  } finally {
    stop()
    abort.abort(new Ended('timeout'))
  }
}

async function answerAt(text: string, sent: Sent, net: ProgramNet | undefined, signal: AbortSignal) {
  const url = programUrl(text)
  if (url === undefined) throw new Ended('address')
  if (net === undefined) throw new Ended('unreachable')
  const addresses = await unless(signal, net.resolve(bare(url.hostname)))
  // A name that leads to several places is refused if one of them is.
  if (addresses.length === 0 || !addresses.every(isCallable)) throw new Ended('address')
  const reply = await unless(signal, postTo(url, addresses.slice(0, MOST_ADDRESSES), sent, net, signal))
  const { status, contentType } = reply
  if (status >= 300 && status <= 399) throw new Ended('redirect', status)
  if (status < 200 || status > 299) throw new Ended('refused', status)
  return { status, contentType, text: await unless(signal, readAll(reply.body, status)) }
}

/** `localhost` is both `::1` and `127.0.0.1`, and a program often listens at one of them only. */
const MOST_ADDRESSES = 3

async function postTo(
  url: URL,
  [first = '', ...others]: readonly string[],
  sent: Sent,
  net: ProgramNet,
  signal: AbortSignal,
): Promise<ProgramReply> {
  try {
    return await net.post(url, first, sent, signal)
  } catch (error) {
    if (others.length === 0 || codeOf(error) !== 'ECONNREFUSED') throw error
    return postTo(url, others, sent, net, signal)
  }
}

async function readAll(body: AsyncIterable<Uint8Array>, status: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > MAX_ANSWER_BYTES) throw new Ended('too-big', status)
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

/** Rejects a step that takes longer than the time limit. */
function unless<T>(signal: AbortSignal, step: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    step.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** The real network. The name is not resolved again: host and SNI are those of the URL. */
export const systemPrograms: ProgramNet = {
  async resolve(host) {
    if (isIP(host) !== 0) return [host]
    return (await lookup(host, { all: true, verbatim: true })).map((each) => each.address)
  },
  post(url, address, { body, headers }, signal) {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const family = isIP(address)
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        {
          method: 'POST',
          agent: false,
          signal,
          headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
          lookup: (_host, options, done) =>
            options.all ? done(null, [{ address, family }]) : done(null, address, family),
        },
        (incoming) =>
          resolve({
            status: incoming.statusCode ?? 0,
            contentType: incoming.headers['content-type'] ?? '',
            body: incoming,
          }),
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  },
}
