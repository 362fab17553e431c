import { join } from 'node:path'
import type { WebSocket } from 'ws'
import { benchFolder, removeFolder } from '../folders.ts'
import { startNode } from '../hosts/chromium.ts'
import type { ServerHost } from '../hosts/host.ts'
import { cpuMicrosOf, root, type Running } from '../processes.ts'
import { channelId, personId, type SeedSize } from '../seeds.ts'
import { seedServer } from '../server-seed.ts'
import { callerOf, openSocket, openWatcher, type Caller } from './client.ts'

/** Sends in flight during a burst. */
const IN_FLIGHT = 8
const CHANNEL = `/channels/team/${channelId(0)}`

/** One broadcaster and all its receivers. */
export type Side = {
  readonly name: string
  /** Sends one message; resolves when it was accepted. */
  send(): Promise<void>
  readonly server: Running
  readonly receivers: readonly WebSocket[]
  /** A frame of a broadcast. */
  isBroadcast(data: Buffer): boolean
  stop(): Promise<void>
}

/** The results of one round of sending. */
export type Burst = { readonly cpuMicros: number; readonly perSecond: number }

/** Parlor's server: a channel of `count` users and a sender, each of them connected once and watching. */
export async function ourSide(count: number, host: ServerHost): Promise<Side> {
  const folder = benchFolder('fan-out')
  const size: SeedSize = { name: 'S', people: count + 1, messages: [20], members: count + 1 }
  await seedServer(folder, size)
  const server = await host.startServer(folder, { more: ['--connections', `${Math.max(256, count + 8)}`] })
  const receivers: WebSocket[] = []
  for (let from = 0; from < count; from += 20) {
    const some = Array.from({ length: Math.min(20, count - from) }, (_, index) =>
      openWatcher(server.url, personId(1 + from + index), CHANNEL),
    )
    receivers.push(...(await Promise.all(some)))
  }
  const caller: Caller = await callerOf(server.url, personId(0), IN_FLIGHT)
  let sent = 0
  return {
    name: 'parlor',
    server,
    receivers,
    isBroadcast: (data) => data.subarray(0, 40).includes('"message.new"'),
    async send() {
      sent += 1
      const text = `message ${sent} to everyone in the room, of an ordinary length`
      await caller.call('POST', `${CHANNEL}/message`, { message: { id: `fan-${sent}`, text } })
    },
    async stop() {
      caller.close()
      for (const socket of receivers) socket.terminate()
      await server.stop()
      removeFolder(folder)
    },
  }
}

/** A bare `ws` server that repeats `frame` to `count` listeners: with `ws.send` to each, or joined for each turn. */
export async function bareSide(count: number, frame: string, way: 'each' | 'joined'): Promise<Side> {
  const server = await startNode([join(root, 'tests/bench/bare-ws.ts'), way])
  const receivers = await Promise.all(Array.from({ length: count }, () => openSocket(server.url)))
  const sender = await openSocket(`${server.url}/sender`)
  return {
    name: way,
    server,
    receivers,
    isBroadcast: () => true,
    send: () => new Promise((resolve, reject) => sender.send(frame, (error) => (error ? reject(error) : resolve()))),
    async stop() {
      for (const socket of [...receivers, sender]) socket.terminate()
      await server.stop()
    },
  }
}

/**
 * Sends `messages` as quickly as they are accepted; processor time of the server for each delivery, and deliveries a
 * second.
 */
export async function burst(side: Side, messages: number): Promise<Burst> {
  const received = awaitDeliveries(side, messages)
  const startedAt = performance.now()
  const cpuBefore = cpuMicrosOf(side.server.pid)
  let left = messages
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await side.send()
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  await received.all
  const deliveries = messages * side.receivers.length
  const seconds = (performance.now() - startedAt) / 1_000
  return { cpuMicros: (cpuMicrosOf(side.server.pid) - cpuBefore) / deliveries, perSecond: deliveries / seconds }
}

/** From the send to each receiver, in milliseconds, with `pauseMs` between two sends. */
export async function paced(side: Side, messages: number, pauseMs: number): Promise<number[]> {
  const latencies: number[] = []
  for (let index = 0; index < messages; index += 1) {
    const startedAt = performance.now()
    const received = awaitDeliveries(side, 1, () => latencies.push(performance.now() - startedAt))
    const taken = side.send()
    await Promise.all([taken, received.all])
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, pauseMs - (performance.now() - startedAt))))
  }
  return latencies
}

/** The text of the next broadcast. */
export async function frameOf(side: Side): Promise<string> {
  let text = ''
  const received = awaitDeliveries(side, 1, (data) => (text = data.toString()))
  await side.send()
  await received.all
  return text
}

/** Rejects when a receiver is disconnected: waiting for it would never end. */
function awaitDeliveries(
  side: Side,
  messages: number,
  onEach?: (data: Buffer) => void,
): { readonly all: Promise<void> } {
  const all = new Promise<void>((resolve, reject) => {
    let missing = side.receivers.length * messages
    const stop = (): void => {
      for (const socket of side.receivers) socket.off('message', onMessage).off('close', onCut)
    }
    const onCut = (): void => {
      stop()
      reject(new Error(`${side.name}: a receiver was cut off`))
    }
    const onMessage = (data: Buffer): void => {
      if (!side.isBroadcast(data)) return
      onEach?.(data)
      missing -= 1
      if (missing > 0) return
      stop()
      resolve()
    }
    const isCut = side.receivers.some((socket) => socket.readyState !== socket.OPEN)
    for (const socket of side.receivers) socket.on('message', onMessage).on('close', onCut)
    if (isCut) onCut()
  })
  return { all }
}
