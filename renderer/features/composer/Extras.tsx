import type { Channel } from '#shared/domain/channel.ts'
import { maySendPoll, mayShareLocation } from '#shared/rules/channels/capabilities.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import type { Place } from './place.ts'
import type { Voice } from './voice/use-voice.ts'
import styles from './Composer.module.css'

type Props = {
  readonly place: Place
  readonly channel: Channel
  /** Absent where recording is not possible. */
  readonly voice: Voice | undefined
}

/** Buttons for messages other than text: poll, location, voice. Polls and locations are for channels only; in a thread the location button is disabled with that reason. */
export function Extras({ place, channel, voice }: Props) {
  const t = useTexts('composer')
  const locations = useTexts('locations')
  const dispatch = useAppDispatch()
  const inThread = place.parentId !== undefined
  const poll = !inThread && maySendPoll(channel)
  const location = mayShareLocation(channel)
  if (!poll && !location && voice === undefined) return null
  return (
    <>
      <span className={styles['split']} aria-hidden="true" />
      {poll ? (
        <IconButton
          icon="poll"
          label={t('poll')}
          tooltipSide="above"
          aria-haspopup="dialog"
          onClick={() => dispatch(dialogOpened({ kind: 'poll', cid: place.cid }))}
        />
      ) : null}
      {location ? (
        <IconButton
          icon="map-pin"
          label={inThread ? locations('notInThread') : t('location')}
          tooltipSide="above"
          aria-haspopup="dialog"
          aria-disabled={inThread || undefined}
          onClick={() => inThread || dispatch(dialogOpened({ kind: 'location', cid: place.cid }))}
        />
      ) : null}
      {voice === undefined ? null : (
        <IconButton
          icon="mic"
          label={t('voice.record')}
          tooltipSide="above"
          aria-disabled={voice.state.kind !== 'idle' || undefined}
          onClick={() => voice.state.kind === 'idle' && voice.start()}
        />
      )}
    </>
  )
}
