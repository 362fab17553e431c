import { memo } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { twoLetters } from '../../../lib/portrait.ts'
import { useAppDispatch, useAppSelector, useChannel, useUser } from '../../../store/hooks.ts'
import { selectOpenCid } from '../../../store/selectors.ts'
import { Count } from '../../../ui/Mark/Count.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { Portrait, presenceOf } from '../../people/index.ts'
import { openChannel, useOpening } from '../../windows/index.ts'
import { channelTitle, forYouOf, isLoud } from '../selectors.ts'
import styles from './Rail.module.css'

type Props = { readonly cid: Cid; readonly tabIndex: 0 | -1 }

/** One conversation in the rail. */
export const RailItem = memo(function RailItem({ cid, tabIndex }: Props) {
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  const isOpen = useAppSelector((state) => selectOpenCid(state) === cid)
  const other = useUser(channel?.directUserId)
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const opening = useOpening()
  if (channel === undefined) return null
  const forYou = forYouOf(channel)
  const label =
    forYou > 0
      ? `${title}, ${t('row.mentions', { count: forYou })}`
      : channel.unread > 0
        ? `${title}, ${t('row.unread', { count: channel.unread })}`
        : title
  return (
    <Tooltip text={label} side="end">
      <button
        type="button"
        role="link"
        className={styles['item']}
        tabIndex={tabIndex}
        data-roving-id={cid}
        data-channel-item={cid}
        aria-current={isOpen ? 'page' : undefined}
        aria-label={label}
        {...opening((way) => dispatch(openChannel(cid, way)))}
      >
        {other === undefined ? (
          <span className={styles['letters']}>{twoLetters(title)}</span>
        ) : (
          <Portrait userId={other.id} size={28} presence={presenceOf(other)} />
        )}
        <Corner channel={channel} forYou={forYou} />
      </button>
    </Tooltip>
  )
})

function Corner({ channel, forYou }: { readonly channel: Channel; readonly forYou: number }) {
  if (!isLoud(channel)) return null
  return (
    <span className={styles['corner']}>
      <Count value={forYou > 0 ? forYou : channel.unread} tone={forYou > 0 ? 'mention' : 'unread'} />
    </span>
  )
}
