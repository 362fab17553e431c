import { createHash } from 'node:crypto'
import { refuse } from '../http/refusal.ts'
import type { Work } from '../work.ts'
import { GIF_SIZE } from './gif.ts'
import type { CommandReply, CommandHandler } from './command.ts'

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
