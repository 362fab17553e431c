import { useEffect, useState } from 'react'
import { withChosen } from '#shared/rules/channels/channels.ts'
import { withTraceless } from '#shared/rules/channels/unread.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { LOCK_MINUTES } from '#shared/domain/desktop/desktop.ts'
import { AWAY_MINUTES } from '#shared/domain/settings.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { sendCommand } from '../../../store/commands.ts'
import { useAppDispatch, useHost, useSession, useSettings, useAppSelector, useSetting } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { selectLock } from '../../../store/window/host.ts'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { useLiveShares } from '../../locations/index.ts'
import { Portrait } from '../../people/index.ts'
import { UntilLoaded } from '../../connection/index.ts'
import { lockNow, PinDialog, type PinQuestion } from '../../lock/index.ts'
import { ChannelList, More, SettingRow, SwitchRow } from '../controls/SettingRow.tsx'
import { updateSettings, askBlocked, unblock } from '../commands.ts'
import styles from '../Settings.module.css'

/** What others see, who may open Parlor here, and who is blocked. */
export function Privacy() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { publishTyping, publishReads, publishDelivery, publishPresence } = useSettings()
  return (
    <>
      <h2>{t('privacy.seen')}</h2>
      <SwitchRow
        title={t('privacy.typing')}
        hint={t('privacy.typingHint')}
        on={publishTyping}
        onChange={(on) => void dispatch(updateSettings({ publishTyping: on }))}
      />
      <SwitchRow
        title={t('privacy.reads')}
        hint={t('privacy.readsHint')}
        on={publishReads}
        onChange={(on) => void dispatch(updateSettings({ publishReads: on }))}
      />
      <SwitchRow
        title={t('privacy.delivery')}
        hint={t('privacy.deliveryHint')}
        on={publishDelivery}
        onChange={(on) => void dispatch(updateSettings({ publishDelivery: on }))}
      />
      <SwitchRow
        title={t('privacy.presence')}
        hint={t('privacy.presenceHint')}
        on={publishPresence}
        onChange={(on) => void dispatch(updateSettings({ publishPresence: on }))}
      />
      <Away />
      <LockSettings />
      <Blocked />
      <More what={t('privacy.more')}>
        <QuietTyping />
        <Traceless />
        <Location />
        <Tracks />
        <Reports />
        <SettingRow title={t('privacy.reports')} hint={t('privacy.reportsHint')} />
      </More>
    </>
  )
}

/** Channels of this account whose typing indicator is turned off in their details. */
function QuietTyping() {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const session = useSession()
  const { publishTyping, quietTyping } = useSettings()
  if (!publishTyping) return null
  return (
    <ChannelList
      title={t('here.quiet')}
      cids={quietTyping[sidebarKey(session)] ?? []}
      forget={(name) => t('here.quietForget', { name })}
      onForget={(cid) => void dispatch(updateSettings({ quietTyping: withChosen(quietTyping, session, cid, false) }))}
    />
  )
}

/** After how long without input others see the viewer as away. A browser cannot tell. */
function Away() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { kind } = useHost()
  const { awayMinutes, publishPresence } = useSettings()
  if (kind !== 'electron' || !publishPresence) return null
  return (
    <SettingRow title={t('privacy.away')} hint={t('privacy.awayHint')}>
      <Select
        label={t('privacy.away')}
        value={String(awayMinutes)}
        choices={AWAY_MINUTES.map((count) => ({
          value: String(count),
          label: count === 0 ? t('privacy.awayNever') : t('privacy.awayAfter', { count }),
        }))}
        onChange={(value) => {
          const chosen = AWAY_MINUTES.find((each) => String(each) === value)
          if (chosen !== undefined) void dispatch(updateSettings({ awayMinutes: chosen }))
        }}
      />
    </SettingRow>
  )
}

/** Channels of this account that are read without receipts. */
function Traceless() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const session = useSession()
  const { traceless } = useSettings()
  const cids = traceless[sidebarKey(session)] ?? []
  if (cids.length === 0) return <SettingRow title={t('privacy.traceless')} hint={t('privacy.tracelessNowhere')} />
  return (
    <ChannelList
      title={t('privacy.traceless')}
      hint={t('privacy.tracelessHint')}
      cids={cids}
      forget={(name) => t('privacy.tracelessForget', { name })}
      onForget={(cid) => void dispatch(updateSettings({ traceless: withTraceless(traceless, session, cid, false) }))}
    />
  )
}

/** Live locations being shared, with a button to stop. */
function Location() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const formats = useFormats()
  const shares = useLiveShares()
  const last = shares.at(-1)
  const where = new Set(shares.map(({ cid }) => cid)).size
  return (
    <SettingRow title={t('privacy.location')} hint={t('privacy.locationHint')}>
      {last === undefined ? (
        <span>{t('privacy.nobody')}</span>
      ) : (
        <>
          <span>{t('privacy.shared', { count: where, time: formats.time(last.endAt) })}</span>
          <Button onClick={() => dispatch(sendCommand('stopSharing'))}>{t('privacy.stop')}</Button>
        </>
      )}
    </SettingRow>
  )
}

/** Whether the track of shared live locations is stored on this device while sharing. */
function Tracks() {
  const t = useTexts('locations')
  const dispatch = useAppDispatch()
  const { locationTracks } = useSettings()
  return (
    <SwitchRow
      title={t('track.show')}
      hint={t('track.hint')}
      on={locationTracks}
      onChange={(on) => void dispatch(updateSettings({ locationTracks: on }))}
    />
  )
}

type Person = { readonly id: UserId; readonly name: string }

/** The way to what the viewer reported, and what became of it. */
function Reports() {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  return (
    <SettingRow title={t('mine.open')} hint={t('mine.openHint')}>
      <Button onClick={() => dispatch(dialogOpened({ kind: 'myReports' }))}>{t('mine.show')}</Button>
    </SettingRow>
  )
}

/** People the viewer has blocked, with a button to unblock each. */
function Blocked() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const [people, setPeople] = useState<readonly Person[]>()
  useEffect(() => {
    let isShown = true
    void dispatch(askBlocked()).then((answer) => isShown && answer.ok && setPeople(answer.value))
    return () => {
      isShown = false
    }
  }, [dispatch])
  const release = async ({ id, name }: Person): Promise<void> => {
    const done = await dispatch(unblock({ userId: id }))
    if (!done.ok) return
    setPeople((before) => before?.filter((person) => person.id !== id))
    announce(t('privacy.unblocked', { name }))
  }
  return (
    <section aria-labelledby="blocked-people">
      <h2 id="blocked-people">{t('privacy.blocked')}</h2>
      <p className={styles['hint']}>{people?.length === 0 ? t('privacy.nobodyBlocked') : t('privacy.blockedHint')}</p>
      {people === undefined || people.length === 0 ? null : (
        <ul>
          {people.map((person) => (
            <li key={person.id} className={styles['row']}>
              <Portrait userId={person.id} size={32} />
              <span className={styles['text']}>
                <span className={styles['name']}>{person.name}</span>
              </span>
              <Button aria-label={t('privacy.unblockName', { name: person.name })} onClick={() => void release(person)}>
                {t('privacy.unblock')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** PIN lock: on or off, when it locks automatically, and Lock now. */
export function LockSettings() {
  const t = useTexts('lock')
  const dispatch = useAppDispatch()
  const { on } = useAppSelector(selectLock)
  const minutes = useSetting('lockMinutes')
  const [asking, setAsking] = useState<PinQuestion>()
  const name = t('settings.after')
  return (
    <>
      <h2>{t('settings.title')}</h2>
      <SettingRow title={t('settings.pin')} hint={t('settings.pinHint')}>
        {on ? (
          <>
            <Button onClick={() => setAsking('change')}>{t('settings.change')}</Button>
            <Button onClick={() => setAsking('remove')}>{t('settings.remove')}</Button>
          </>
        ) : (
          <Button onClick={() => setAsking('set')}>{t('settings.set')}</Button>
        )}
      </SettingRow>
      {on ? (
        <>
          <SettingRow title={name} hint={t('settings.afterHint')}>
            <Select
              label={name}
              value={String(minutes)}
              choices={LOCK_MINUTES.map((count) => ({
                value: String(count),
                label: count === 0 ? t('settings.never') : t('settings.minutes', { count }),
              }))}
              onChange={(value) => {
                const lockMinutes = LOCK_MINUTES.find((each) => String(each) === value)
                if (lockMinutes !== undefined) void dispatch(updateSettings({ lockMinutes }))
              }}
            />
          </SettingRow>
          <SettingRow title={t('settings.now')} hint={t('settings.nowHint')}>
            <Button icon="lock" onClick={() => void dispatch(lockNow(undefined))}>
              {t('settings.lock')}
            </Button>
          </SettingRow>
        </>
      ) : null}
      <UntilLoaded onClose={() => setAsking(undefined)}>
        {asking === undefined ? null : <PinDialog what={asking} onClose={() => setAsking(undefined)} />}
      </UntilLoaded>
    </>
  )
}
