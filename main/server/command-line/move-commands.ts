import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import * as v from 'valibot'
import { isLongEnough, PASSPHRASE_LENGTH } from '#shared/domain/account-file.ts'
import { codeOf } from '#main/lib/disk-error.ts'
import { keysOf } from '../run.ts'
import { NotDone } from '../store/backup.ts'
import { BadWorkspaceFile } from '../store/moving/container.ts'
import { cameFromSchema } from '../store/moving/about.ts'
import { pack, type OnProgress } from '../store/moving/pack.ts'
import { StoreProblem } from '../store/problems.ts'
import { lookInto, unpack, verifyPacked, writeKeys } from '../store/moving/unpack.ts'
import type { ServerArguments } from './arguments.ts'

type Ports = {
  readonly secret: string | undefined
  /** What the app gives along that nobody else on the machine may see; see {@link orderSchema}. */
  readonly order?: string | undefined
  readonly nowMs: number
  readonly out: Writable
}

/** What the app knows of a workspace and its server does not. In the environment: others can see arguments. */
const orderSchema = v.object({
  passphrase: v.optional(v.string()),
  apiKey: v.optional(v.string()),
  name: v.optional(v.string()),
  founded: v.optional(v.string()),
  came: v.optional(cameFromSchema),
})
type Order = v.InferOutput<typeof orderSchema>

/** `pack`, `unpack` and `look`: with `--progress` lines of JSON, otherwise a sentence. */
export async function moveCommand(given: ServerArguments, ports: Ports): Promise<string> {
  const order = ports.order === undefined ? {} : v.parse(orderSchema, JSON.parse(ports.order))
  const passphrase = passphraseOf(given, order)
  if (!given.progress) return run(given, { ...ports, given: order, passphrase })
  const say = (line: object): void => void ports.out.write(`${JSON.stringify(line)}\n`)
  try {
    const sentence = await run(given, { ...ports, given: order, passphrase, say })
    if (sentence !== '') say({ event: 'done' })
  } catch (error) {
    say({ event: 'failed', code: failureOf(error) })
  }
  return ''
}

/** Says what is in a workspace file, or `undefined` for another file. */
export async function verifyWorkspaceFile(given: ServerArguments): Promise<string> {
  const { about, uploads } = await verifyPacked(given.subject, passphraseOf(given, {}))
  return `${given.subject} is whole: the workspace ${about.name} of ${about.owner.name} with ${uploads} uploads, saved at ${new Date(about.savedAt).toISOString()}.`
}

type Task = Ports & {
  readonly given: Order
  readonly passphrase: string | undefined
  readonly say?: (line: object) => void
}

async function run(given: ServerArguments, task: Task): Promise<string> {
  if (given.command === 'pack') return packIt(given, task)
  if (given.command === 'unpack') return unpackIt(given, task)
  const { about, sealed } = await lookInto(given.subject, task.passphrase)
  const { keys, came, ...shown } = about
  task.say?.({ event: 'about', about: { ...shown, keys: keys !== undefined, came: came !== undefined }, sealed })
  return `${given.subject} has the workspace ${about.name} of ${about.owner.name}, saved at ${new Date(about.savedAt).toISOString()}.`
}

async function packIt(given: ServerArguments, { given: order, passphrase, secret, nowMs, say }: Task): Promise<string> {
  const { dataFolder, subject, force, owner, apiKey = order.apiKey } = given
  const { uploads, missing } = await pack(dataFolder, subject, {
    owner,
    name: order.name,
    founded: order.founded,
    passphrase,
    keys: passphrase === undefined ? undefined : knownKeys(dataFolder, { secret, apiKey }),
    came: order.came,
    force,
    nowMs,
    onProgress: progressOf(say),
  })
  const lost = missing === 0 ? '' : ` ${missing} uploads were not there any more.`
  const keys = passphrase === undefined ? ' Without a passphrase it has no keys: people need new tokens.' : ''
  return `Packed into ${subject} with ${uploads} uploads.${lost}${keys}`
}

async function unpackIt({ dataFolder, subject }: ServerArguments, { passphrase, say }: Task): Promise<string> {
  const { about, uploads } = await unpack(subject, dataFolder, { passphrase, onProgress: progressOf(say) })
  // The app has a store for secrets; there they are never in a file.
  if (say) say({ event: 'keys', keys: about.keys, came: about.came })
  else writeKeys(dataFolder, about)
  return `Unpacked the workspace ${about.name} of ${about.owner.name} with ${uploads} uploads.`
}

function knownKeys(
  dataFolder: string,
  given: { readonly secret: string | undefined; readonly apiKey: string | undefined },
): { readonly apiKey: string; readonly secret: string } | undefined {
  try {
    return keysOf(dataFolder, given)
  } catch (error) {
    // A restored workspace that was never started has none yet.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function passphraseOf({ command, passphraseFile }: ServerArguments, { passphrase }: Order): string | undefined {
  if (passphraseFile === undefined) return passphrase
  const given = readFileSync(passphraseFile, 'utf8').replace(/\r?\n$/, '')
  if (command === 'pack' && !isLongEnough(given))
    throw new NotDone(`The passphrase in ${passphraseFile} has fewer than ${PASSPHRASE_LENGTH.least} characters.`)
  return given
}

/** At most a hundred lines for each step. */
function progressOf(say: Task['say']): OnProgress | undefined {
  if (!say) return undefined
  let last = ''
  return (step, done, total) => {
    const share = total === 0 ? 100 : Math.floor((done * 100) / total)
    const now = `${step} ${share}`
    if (now === last) return
    last = now
    say({ event: 'progress', step, done, total })
  }
}

const FAILURES: Readonly<Record<string, string>> = {
  ENOSPC: 'data/disk-full',
  EDQUOT: 'data/disk-full',
  SQLITE_FULL: 'data/disk-full',
  EACCES: 'data/not-permitted',
  EPERM: 'data/not-permitted',
  EROFS: 'data/not-permitted',
  ENOENT: 'data/folder-gone',
  ENOTDIR: 'data/folder-gone',
}

function failureOf(error: unknown): string {
  if (error instanceof BadWorkspaceFile) return `workspace-file/${error.problem}`
  if (error instanceof StoreProblem) return 'workspace-file/unsound'
  return FAILURES[codeOf(error) ?? ''] ?? 'data/not-written'
}
