import { useId } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { Radios } from '../../ui/Choice/Radios.tsx'
import type { NotifyLevel } from '#shared/domain/notification.ts'
import { ownLevel, withOwnLevel } from '#shared/rules/notifications/notify-levels.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { useAppDispatch, useSession, useSetting } from '../../store/hooks.ts'
import { updateSettings } from '../settings/index.ts'
import styles from './Level.module.css'

const LEVELS = ['all', 'mentions', 'none'] as const

/** Which messages of a channel notify, with a sentence that explains the effect. Saved when chosen. */
export function LevelChoice({ cid }: { readonly cid: Cid }) {
  const t = useTexts('notifications')
  const effectId = useId()
  const { own, fallback, choose } = useLevel(cid)
  return (
    <div className={styles['choice']} role="group" aria-label={t('level.title')} aria-describedby={effectId}>
      <Radios
        label={t('level.title')}
        value={own ?? 'usual'}
        onChange={(value) => choose(value === 'usual' ? undefined : value)}
        choices={[
          { value: 'usual', label: t('level.usual'), hint: t(`page.levels.${fallback}`) },
          ...LEVELS.map((value) => ({ value, label: t(`page.levels.${value}`) })),
        ]}
      />
      <p id={effectId} role="status" className={styles['effect']}>
        {t(`level.effects.${own ?? fallback}`)}
      </p>
    </div>
  )
}

type Level = {
  /** The channel's own level; absent: the default. */
  readonly own: NotifyLevel | undefined
  /** The default for channels without their own. */
  readonly fallback: NotifyLevel
  readonly choose: (level: NotifyLevel | undefined) => void
}

/** The notification level of a channel, and a function to change it. */
function useLevel(cid: string): Level {
  const dispatch = useAppDispatch()
  const account = sidebarKey(useSession())
  const notifications = useSetting('notifications')
  return {
    own: ownLevel(notifications, account, cid),
    fallback: notifications.level,
    choose: (level) =>
      void dispatch(updateSettings({ notifications: withOwnLevel(notifications, account, { cid, level }) })),
  }
}
