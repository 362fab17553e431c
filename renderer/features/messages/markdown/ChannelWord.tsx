import { channelWordKey } from '#shared/rules/messages/channel-mentions.ts'
import { selectByChannelWord } from '../../../store/channel-mentions.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { routeOpened } from '../../../store/window/ui.ts'
import styles from './Markdown.module.css'

type Props = { readonly name: string; readonly text: string }

/** `#name` in a text: the way to that channel, or plain words where the reader has none of that name. */
export function ChannelWord({ name, text }: Props) {
  const dispatch = useAppDispatch()
  const cid = useAppSelector((state) => selectByChannelWord(state).get(channelWordKey(name)))
  if (cid === undefined) return text
  return (
    <button type="button" className={styles['channel']} onClick={() => dispatch(routeOpened({ view: 'channel', cid }))}>
      <bdi>{text}</bdi>
    </button>
  )
}
