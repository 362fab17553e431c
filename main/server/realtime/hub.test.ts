import { expect, test } from 'vitest'
import { frameSink, type Wire, createStaggeredClose, Encoded, frameHeader, textFrame } from './hub.ts'
import { MAX_SLOT_MS, slotMsOf } from '#shared/wire/connect.ts'

/** A socket that accepts writes and completes none of them until `drain`. */
function stalledWire() {
  const writes: Buffer[] = []
  const closes: number[] = []
  const done: (() => void)[] = []
  const wire: Wire = {
    waiting: () => (done.length === 0 ? 0 : writes.reduce((sum, each) => sum + each.length, 0)),
    write: (bytes, finished) => {
      writes.push(bytes)
      done.push(finished)
    },
    close: (code) => void closes.push(code),
  }
  return { wire, writes, closes, drain: () => done.splice(0).forEach((finished) => finished()) }
}

test('frames of one turn leave in one write', () => {
  const { wire, writes } = stalledWire()
  const sink = frameSink(wire)
  const event = new Encoded('{"type":"a"}')
  sink.push(event, undefined)
  sink.push(event, '"unread_count":3')
  sink.flush()
  sink.flush()
  expect(writes).toEqual([Buffer.concat([textFrame('{"type":"a"}'), textFrame('{"type":"a","unread_count":3}')])])
})

test('an event is encoded and framed once, whatever is spliced in for a recipient', () => {
  const event = new Encoded('{"type":"a"}')
  expect(event.frame()).toBe(event.frame())
  expect(event.frameWith('"x":1')).toBe(event.frameWith('"x":1'))
  expect(event.frameWith('"x":22')).toEqual(textFrame('{"type":"a","x":22}'))
})

test.each([
  [0, '8100'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
])('the frame header for %d bytes follows RFC 6455', (bytes, hex) => {
  expect(frameHeader(bytes).toString('hex')).toBe(hex)
})

test('a slow reader first loses typing, then the connection', () => {
  const { wire, writes, closes } = stalledWire()
  const sink = frameSink(wire)
  const message = new Encoded(JSON.stringify({ type: 'message.new', text: 'x'.repeat(600_000) }))
  const typing = new Encoded('{"type":"typing.start"}', true)
  for (let index = 0; index < 2; index += 1) sink.push(message, undefined)
  sink.flush()
  sink.push(typing, undefined)
  sink.flush()
  expect(writes.length).toBe(1)
  expect(closes).toEqual([])
  for (let index = 0; index < 8; index += 1) sink.push(message, undefined)
  expect(closes).toEqual([1013])
  sink.push(message, undefined)
  sink.flush()
  expect(writes.length).toBe(1)
  expect(closes).toEqual([1013])
})

test('a reader a thousand events behind is closed, one that keeps up is not', () => {
  const event = new Encoded('{"type":"a"}')
  const slow = stalledWire()
  const slowSink = frameSink(slow.wire)
  const quick = stalledWire()
  const quickSink = frameSink(quick.wire)
  for (let index = 0; index < 1_001; index += 1) {
    for (const sink of [slowSink, quickSink]) {
      sink.push(event, undefined)
      sink.flush()
    }
    quick.drain()
  }
  expect(slow.closes).toEqual([1013])
  expect(quick.closes).toEqual([])
})

const slotsOf = (count: number): (number | undefined)[] => {
  const close = createStaggeredClose(count)
  return Array.from({ length: count }, () => slotMsOf(close()))
}

test('a single connection may come back at once', () => {
  expect(slotsOf(1)).toEqual([0])
})

test('fifty come back eight a second', () => {
  const slots = slotsOf(50)
  expect(slots[0]).toBe(0)
  expect(slots[8]).toBe(1_000)
  expect(slots[49]).toBe(6_125)
})

test('a thousand share half a minute', () => {
  const slots = slotsOf(1_000)
  expect(slots[0]).toBe(0)
  expect(slots.at(-1)).toEqual(MAX_SLOT_MS)
  expect(slots).not.toContain(undefined)
})
