import type { Cid } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useChannel, useConnection } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { archiveChannel } from '../../sidebar/index.ts'
import styles from '../Info.module.css'

/** Out of one's way, and out of the channel. */
export function LastActions({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const { offline } = useConnection()
  if (channel === undefined) return null
  const archived = channel.archivedAt !== undefined
  const isDirect = channel.directUserIds.length > 0
  const why = offline ? t('why.offline') : may(channel, 'leave-channel') ? undefined : t('why.permission')
  return (
    <div className={`${styles['section']} ${styles['tight']}`}>
      <button
        type="button"
        className={styles['row']}
        aria-disabled={offline || undefined}
        onClick={() => offline || void dispatch(archiveChannel({ cid, archived: !archived }))}
      >
        <Icon name="archive" size={18} />
        <span className={styles['rowName']}>{archived ? t('menu.unarchive') : t('menu.archive')}</span>
        {offline ? <span className={styles['reason']}>{t('why.offline')}</span> : null}
      </button>
      {isDirect ? null : (
        <button
          type="button"
          className={`${styles['row']} ${styles['danger']}`}
          aria-disabled={why !== undefined || undefined}
          onClick={() => why === undefined && dispatch(dialogOpened({ kind: 'channel', what: 'leave', cid }))}
        >
          <Icon name="logout" size={18} />
          <span className={styles['rowName']}>{t('leave.confirm')}</span>
          {why === undefined ? null : <span className={styles['reason']}>{why}</span>}
        </button>
      )}
    </div>
  )
}
