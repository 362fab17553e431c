/**
 * A real Parlor without a window, to be killed: the composed app on this machine's disk, clock and network, whose only
 * user accepts one numbered message after the other. Run as `node writer.ts DATA URL TOKEN FIRST CID…`. Prints one word
 * and a number per line to standard output: `started`, `open` once messages are accepted, `accepted N` when message N
 * is on disk, `unsent N` whenever something was sent. FIRST = 0 writes nothing and only sends what is queued.
 */
import { mkdirSync } from 'node:fs'
import { memorySecrets } from '#main/hosts/node/secrets-file.ts'
import { compose } from '#main/app/compose.ts'
import { printLine } from './print-line.ts'
import { windowless } from './windowless.ts'

printLine('started')
// On a normal end it leaves Node's compile cache; a killed process leaves none.
process.once('SIGTERM', () => process.exit())

const [, , data = '', url = '', token = '', first = '0', ...cids] = process.argv
mkdirSync(data, { recursive: true })

const now = { asking: false, stale: false, unsent: 0, wake: (): void => undefined }
/** The most messages that may be queued at a time. */
const AHEAD = 12

/** Every push may mean that something was sent. */
const { host, dispatch, call } = windowless(data, () => void printUnsent(), { secrets: memorySecrets() })

async function printUnsent(): Promise<void> {
  now.stale = true
  if (now.asking) return
  now.asking = true
  while (now.stale) {
    now.stale = false
    now.unsent = Number(await call('session.unsentCount'))
    printLine(`unsent ${now.unsent}`)
  }
  now.asking = false
  now.wake()
}

/** Waits while much is in flight, so that writing and sending happen at the same time and a kill hits both. */
async function room(): Promise<void> {
  while (now.unsent >= AHEAD) await new Promise<void>((resolve) => (now.wake = resolve))
}

async function write(from: number): Promise<void> {
  for (let n = from; ; n += 1) {
    await room()
    const cid = cids[n % cids.length]
    await call('messages.send', {
      cid,
      text: String(n),
      showInChannel: false,
      mentionedUserIds: [],
      uploadIds: [],
      whenReady: false,
    })
    printLine(`accepted ${n}`)
    now.unsent += 1
  }
}

await compose(host, dispatch, { connect: { url, apiKey: 'crash', credential: { kind: 'token', token } } })
await call('app.attach', {})
printLine('open')
if (Number(first) > 0) await write(Number(first))
else await printUnsent()
