import { createHash } from 'node:crypto'
import { refuse } from '../http/refusal.ts'
import type { Work } from '../work.ts'
import { GIF_SIZE } from './gif.ts'
import type { CommandAnswer, CommandHandler } from './command.ts'

const BUTTONS = [
  { name: 'image_action', text: 'Send', value: 'send', type: 'button', style: 'primary' },
  { name: 'image_action', text: 'Shuffle', value: 'shuffle', type: 'button', style: 'default' },
  { name: 'image_action', text: 'Cancel', value: 'cancel', type: 'button', style: 'default' },
]
const MAX_WORDS = 200

/** Where a picture of a seed is fetched: under `/files/`, so that stored links follow the server to another port. */
export const GIF_PATH = '/files/giphy'

/** A picture drawn here from the words: nothing is asked of any network. See docs/wire.md 8.4 "giphy". */
function offer(work: Work, text: string): CommandAnswer {
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
    return offer(work, args.slice(0, MAX_WORDS))
  },
  act(button, { work, args }) {
    if (button === 'send') return 'send'
    if (button === 'cancel') return 'drop'
    return button === 'shuffle'
      ? offer(work, args.slice(0, MAX_WORDS))
      : refuse('input', `there is no button ${button}`)
  },
}
