import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useChannel, useCanParticipate } from '../../../store/hooks.ts'
import { dialogOpened, searchOpened } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useMenu } from '../../../ui/Menu/use-menu.tsx'
import { muteChannel, pinChannel, useChannelMenu } from '../../sidebar/index.ts'
import styles from '../Info.module.css'

/** The most used actions of a channel as tiles. */
export function LeadActions({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const menu = useMenu({
    label: t('acts.more'),
    items: useChannelMenu(cid),
    placement: { side: 'below', align: 'end', gap: 4 },
  })
  const canParticipate = useCanParticipate()
  if (channel === undefined) return null
  const { muted } = channel
  const pinned = channel.pinnedAt !== undefined
  return (
    <div className={styles['acts']}>
      {canParticipate ? (
        <>
          <button
            type="button"
            className={styles['act']}
            aria-pressed={muted}
            onClick={() =>
              muted
                ? void dispatch(muteChannel({ cid, muted: false }))
                : dispatch(dialogOpened({ kind: 'mute', target: { cid } }))
            }
          >
            <Icon name={muted ? 'bell-off' : 'bell'} size={18} />
            {muted ? t('acts.muted') : t('acts.notify')}
          </button>
          <button
            type="button"
            className={styles['act']}
            onClick={() => void dispatch(pinChannel({ cid, pinned: !pinned }))}
          >
            <Icon name={pinned ? 'pin-off' : 'pin'} size={18} />
            {pinned ? t('acts.unpin') : t('acts.pin')}
          </button>
        </>
      ) : null}
      <button type="button" className={styles['act']} onClick={() => dispatch(searchOpened({ cid }))}>
        <Icon name="search" size={18} />
        {t('acts.search')}
      </button>
      <button type="button" className={styles['act']} {...menu.triggerProps}>
        <Icon name="more" size={18} />
        {t('acts.more')}
      </button>
      {menu.menu}
    </div>
  )
}
