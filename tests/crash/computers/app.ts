/**
 * A real Parlor without a window on one of two computers: `node app.js DATA SERVER_ENTRY`. The composed app with this
 * machine's disk, clock and network, and the server of its own workspace as a process. A line of input is a call of its
 * user, `{"id":1,"name":"messages.send","input":{…}}`; `rows` with the name of a table returns what a window would show,
 * and `fill` takes all the room that is left where its data is.
 * Prints `open`, one line `{"id":1,"value":…}` or `{"id":1,"error":"…"}` for each call, and `push` for each push.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ChangeSet, EntityName } from '#shared/domain/changes.ts'
import { compose } from '#main/app/compose.ts'
import { forkedServer, localServers } from '#main/hosts/node/local-server.ts'
import { createProxies, nodeNetwork } from '#main/hosts/node/network.ts'
import { fileSecrets } from '#main/hosts/node/secrets-file.ts'
import { Replica } from '#kit/sim/replica.ts'
import { printLine } from '../print-line.ts'
import { windowless } from '../windowless.ts'

type Call = { readonly id: number; readonly name: string; readonly input?: unknown }

const PIECE = 1_048_576
const [, , data = '', serverEntry = ''] = process.argv
mkdirSync(data, { recursive: true })
let replica = new Replica()
const { host, dispatch, call } = windowless(
  data,
  (push) => {
    if (push.kind === 'changes') replica.apply(push.changeSet)
    printLine('push')
  },
  {
    secrets: fileSecrets(data),
    network: nodeNetwork(createProxies()),
    server: localServers(forkedServer(serverEntry)),
  },
)

async function answer({ id, name, input }: Call): Promise<void> {
  try {
    printLine(JSON.stringify({ id, value: await run(name, input) }))
  } catch (error) {
    printLine(JSON.stringify({ id, error: error instanceof Error ? error.message : String(error) }))
  }
}

async function run(name: string, input: unknown): Promise<unknown> {
  if (name === 'rows') return replica.all(input as EntityName)
  if (name === 'fill') return fill()
  if (name !== 'app.attach') return call(name, input)
  replica = new Replica()
  const snapshot = (await call(name, {})) as ChangeSet
  replica.apply(snapshot)
  return undefined
}

/** Until the disk is full. */
function fill(): void {
  const file = openSync(join(data, 'filling'), 'w')
  for (let size = PIECE; size >= 1;) {
    try {
      writeSync(file, Buffer.alloc(size))
    } catch {
      size = Math.floor(size / 2)
    }
  }
  closeSync(file)
}

const composed = await compose(host, dispatch, {})
// On a normal end it leaves Node's compile cache.
process.once('SIGTERM', () => void composed.stop().finally(() => process.exit()))
await run('app.attach', undefined)
printLine('open')
createInterface({ input: process.stdin }).on('line', (line) => void answer(JSON.parse(line) as Call))
