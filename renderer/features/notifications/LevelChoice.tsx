import { useId } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import type { Digest, NotifyLevel } from '#shared/domain/notification.ts'
import { digestOf, ownLevel, withDigest, withOwnLevel } from '#shared/rules/notifications/notifying.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../i18n/index.ts'
import { Radios, Select } from '../../ui/Choice/Choice.tsx'
import { Switch } from '../../ui/Choice/Switch.tsx'
import { TimeField } from '../../ui/Dates/DateField.tsx'
import { clockOf, minutesOf } from '../../lib/time/moments.ts'
import { useAppDispatch, useSession, useSetting, useAppSelector } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { updateSettings } from '../settings/index.ts'
import styles from './Level.module.css'
import { channelTitle } from '../sidebar/index.ts'

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
      <DigestChoice cid={cid} />
    </div>
  )
}

const DIGEST_DAYS = ['off', 'daily', 'workdays'] as const
/** At the end of a working day. */
const NEW_DIGEST: Digest = { minute: 17 * 60, days: 'daily', mentionsNow: true }

/** One notification a day instead of one for each message. Saved when chosen. */
function DigestChoice({ cid }: { readonly cid: Cid }) {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const account = sidebarKey(useSession())
  const notifications = useSetting('notifications')
  const mentionsId = useId()
  const digest = digestOf(notifications, account, cid)
  const save = (next: Digest | undefined): void =>
    void dispatch(updateSettings({ notifications: withDigest(notifications, account, { cid, digest: next }) }))
  return (
    <div className={styles['digest']} role="group" aria-label={t('digest.title')}>
      <div className={styles['digestRow']}>
        <span>{t('digest.title')}</span>
        <Select
          label={t('digest.title')}
          value={digest?.days ?? 'off'}
          choices={DIGEST_DAYS.map((value) => ({ value, label: t(`digest.${value}`) }))}
          onChange={(days) => save(days === 'off' ? undefined : { ...(digest ?? NEW_DIGEST), days })}
        />
      </div>
      {digest === undefined ? null : (
        <>
          <TimeField
            label={t('digest.at')}
            value={clockOf(digest.minute)}
            onChange={(time) => {
              const minute = minutesOf(time)
              if (minute !== undefined && minute !== digest.minute) save({ ...digest, minute })
            }}
          />
          <div className={styles['digestRow']}>
            <span id={mentionsId}>{t('digest.mentions')}</span>
            <Switch
              labelledBy={mentionsId}
              on={digest.mentionsNow}
              onChange={(mentionsNow) => save({ ...digest, mentionsNow })}
            />
          </div>
          <p role="status" className={styles['effect']}>
            {t('digest.effect')}
          </p>
        </>
      )}
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

/** The notification level of one channel, opened from its row. */
export function LevelDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Dialog
      width={400}
      title={t('level.of', { name })}
      onClose={close}
      actions={
        <Button variant="primary" onClick={close}>
          {t('level.done')}
        </Button>
      }
    >
      <LevelChoice cid={cid} />
    </Dialog>
  )
}
