import { createHash } from 'node:crypto'
import { refuse } from '../http/refusal.ts'
import type { Work } from '../work.ts'
import type { CommandReply, CommandHandler } from './commands.ts'

const BUTTONS = [
  { name: 'image_action', text: 'Send', value: 'send', type: 'button', style: 'primary' },
  { name: 'image_action', text: 'Shuffle', value: 'shuffle', type: 'button', style: 'default' },
  { name: 'image_action', text: 'Cancel', value: 'cancel', type: 'button', style: 'default' },
]
const MAX_TEXT = 200

/** The path of a generated picture: under `/files/`, so that stored links stay valid when the server's port changes. */
export const GIF_PATH = '/files/giphy'

/** A picture generated from the text, without any network request. See docs/wire.md 8.4 "giphy". */
function offer(work: Work, text: string): CommandReply {
  const seed = createHash('sha256').update(`${text} ${work.ids.uuid()}`).digest('hex').slice(0, 12)
  const url = `${work.baseUrl()}${GIF_PATH}/${seed}.gif`
  const size = String(GIF_SIZE)
  const shape = { url, width: size, height: size, frames: '8', size: '0' }
  const attachment = {
    type: 'giphy',
    title: text,
    title_link: url,
    thumb_url: url,
    giphy: { original: shape, fixed_height: shape, fixed_height_still: shape, fixed_height_downsampled: shape },
    actions: BUTTONS,
  }
  return { text: '', attachments: [attachment] }
}

export const giphyCommand: CommandHandler = {
  run({ work, args }) {
    if (args === '') return refuse('input', 'Say what the picture is to be about: /giphy [text]')
    return offer(work, args.slice(0, MAX_TEXT))
  },
  act(button, { work, args }) {
    if (button === 'send') return 'send'
    if (button === 'cancel') return 'drop'
    return button === 'shuffle' ? offer(work, args.slice(0, MAX_TEXT)) : refuse('input', `there is no button ${button}`)
  },
}

/** Pixels per side. */
const GIF_SIZE = 96
const FRAMES = 8
/** Hundredths of a second. */
const FRAME_TIME = 9
const COLOURS = 16
const CODE_BITS = 5
const CLEAR = 16
const END = 17
/** The code table is cleared before it would need wider codes: the picture needs no compression. */
const PIXELS_PER_CLEAR = 13

/** An animated GIF of coloured waves, always the same for the same seed (12 hexadecimal digits). */
export function drawGif(seed: string): Buffer {
  const digits = Array.from(seed, (digit) => Number.parseInt(digit, 16))
  const parts: Buffer[] = [Buffer.from('GIF89a', 'ascii'), screen(), palette(digits), LOOP]
  for (let frame = 0; frame < FRAMES; frame += 1) parts.push(frameHead(), pack(pixels(digits, frame)))
  parts.push(Buffer.from([0x3b]))
  return Buffer.concat(parts)
}

const uint16 = (value: number): number[] => [value & 0xff, value >> 8]

const screen = (): Buffer => Buffer.from([...uint16(GIF_SIZE), ...uint16(GIF_SIZE), 0xf3, 0, 0])

const LOOP = Buffer.concat([
  Buffer.from([0x21, 0xff, 0x0b]),
  Buffer.from('NETSCAPE2.0', 'ascii'),
  Buffer.from([3, 1, 0, 0, 0]),
])

const frameHead = (): Buffer =>
  Buffer.from([
    0x21,
    0xf9,
    4,
    0,
    ...uint16(FRAME_TIME),
    0,
    0,
    0x2c,
    0,
    0,
    0,
    0,
    ...uint16(GIF_SIZE),
    ...uint16(GIF_SIZE),
    0,
  ])

/** Sixteen steps from one colour of the seed to another and back. */
function palette(digits: readonly number[]): Buffer {
  const channel = (at: number) => 40 + (digits[at] ?? 0) * 14
  const colours = Array.from({ length: COLOURS }, (_none, step) => {
    const share = 1 - Math.abs(step - COLOURS / 2) / (COLOURS / 2)
    return [0, 1, 2].map((at) => Math.round(channel(at) * (1 - share) + channel(at + 3) * share))
  })
  return Buffer.from(colours.flat())
}

function pixels(digits: readonly number[], frame: number): number[] {
  const [wide = 1, high = 1, bend = 1, turn = 1] = digits.slice(6, 10)
  const phase = (frame / FRAMES) * 2 * Math.PI
  return Array.from({ length: GIF_SIZE * GIF_SIZE }, (_none, at) => {
    const [x, y] = [(at % GIF_SIZE) / GIF_SIZE - 0.5, Math.floor(at / GIF_SIZE) / GIF_SIZE - 0.5]
    const wave =
      Math.sin(x * (4 + wide) + phase) +
      Math.cos(y * (4 + high) - phase) +
      Math.sin(Math.hypot(x, y) * (6 + bend) + (turn % 2 === 0 ? phase : -phase))
    return Math.min(COLOURS - 1, Math.floor(((wave + 3) / 6) * COLOURS))
  })
}

/** LZW codes of five bits in blocks of at most 255 bytes. */
function pack(colours: readonly number[]): Buffer {
  const bytes: number[] = []
  let buffer = 0
  let bits = 0
  const put = (code: number): void => {
    buffer |= code << bits
    bits += CODE_BITS
    while (bits >= 8) {
      bytes.push(buffer & 0xff)
      buffer >>= 8
      bits -= 8
    }
  }
  colours.forEach((colour, at) => {
    if (at % PIXELS_PER_CLEAR === 0) put(CLEAR)
    put(colour)
  })
  put(END)
  if (bits > 0) bytes.push(buffer & 0xff)
  const blocks: number[] = [4]
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  return Buffer.from([...blocks, 0])
}
