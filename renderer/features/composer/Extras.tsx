import type { Channel } from '#shared/domain/channel.ts'
import { maySendPoll, mayShareLocation } from '#shared/rules/capabilities.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/ui.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Place } from './place.ts'
import styles from './Composer.module.css'

type Props = { readonly place: Place; readonly channel: Channel }

/** What is sent by a dialog of its own. Polls and places belong to the channel; a thread says so of places. */
export function Extras({ place, channel }: Props) {
  const t = useTexts('composer')
  const locations = useTexts('locations')
  const dispatch = useAppDispatch()
  const inThread = place.parentId !== undefined
  const poll = !inThread && maySendPoll(channel)
  const location = mayShareLocation(channel)
  if (!poll && !location) return null
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
    </>
  )
}
