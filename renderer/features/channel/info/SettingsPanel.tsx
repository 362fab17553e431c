import { useId, useState, useEffect } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import { type Cid, asUserId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { isBlank, cleanName } from '#shared/lib/clean-text.ts'
import type { Ban } from '#shared/domain/user.ts'
import { useTexts, useRemark, useErrorText, useFormats } from '../../../i18n/index.ts'
import {
  useAppDispatch,
  useCanParticipate,
  useChannel,
  useConnection,
  useAppSelector,
  useUser,
  useMediaUrl,
} from '../../../store/hooks.ts'
import type { Dialogs } from '../../../store/window/kinds.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { PictureField as Field, pictureFrom } from '../../../ui/Field/PictureField.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { LevelChoice } from '../../notifications/index.ts'
import { loadBans, useName, Portrait, presenceOf, unban } from '../../people/index.ts'
import { changeChannel, setImage, saveNames } from '../commands.ts'
import { PanelHead, useBackToDetails } from '../PanelHead.tsx'
import { HiddenMedia, Traceless, Writing, Line, Rule } from './ChannelPreferences.tsx'
import styles from '../Info.module.css'

/** Slow mode choices: seconds between two messages of one person, at most 120. See docs/wire.md 6.5. */
const PAUSES = [0, 5, 10, 30, 60, 120] as const

/** First what is only for the viewer, then name, picture and rules of the channel. Disabled settings show the reason. */
export function SettingsPanel({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const headingId = useId()
  const back = useBackToDetails(cid)
  const channel = useChannel(cid)
  const { offline } = useConnection()
  if (channel === undefined) return <PanelHead id={headingId} title={t('rows.settings')} back={back} />
  const isDirect = channel.directUserIds.length > 0
  const why = (capability: string): string | undefined =>
    offline ? t('why.offline') : may(channel, capability) ? undefined : t('why.permission')
  return (
    <>
      <PanelHead id={headingId} title={isDirect ? t('rows.settingsHere') : t('rows.settings')} back={back} />
      <div className={styles['body']}>
        <ForYou channel={channel} />
        {isDirect ? null : <ForEveryone channel={channel} why={why} />}
        <Recorded channel={channel} />
      </div>
    </>
  )
}

/** What only the viewer sees or feels. */
function ForYou({ channel }: { readonly channel: Channel }) {
  const t = useTexts('details')
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={`${styles['heading']} ${styles['part']}`}>
        {t('settings.forYou')}
      </h3>
      <div className={styles['section']}>
        <h4 className={styles['heading']}>{t('settings.notify')}</h4>
        <LevelChoice cid={channel.cid} />
      </div>
      {useCanParticipate() ? <Traceless channel={channel} /> : null}
      <Writing channel={channel} />
      <HiddenMedia cid={channel.cid} />
    </section>
  )
}

/** What changes the channel for all its members. */
function ForEveryone({ channel, why }: RulesProps) {
  const t = useTexts('details')
  const id = useId()
  const { cid } = channel
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={`${styles['heading']} ${styles['part']}`}>
        {t('settings.forEveryone')}
      </h3>
      <div className={`${styles['section']} ${styles['form']}`}>
        <NameForm key={cid} channel={channel} why={why('update-channel')} />
        <PictureField channel={channel} why={why('update-channel')} />
      </div>
      <Rules channel={channel} why={why} />
      <BansList cid={cid} why={why('ban-channel-members')} />
      <div className={`${styles['section']} ${styles['blocks']}`}>
        <Last cid={cid} what="clear" label={t('settings.clear')} why={why('update-channel')} />
        <Last cid={cid} what="delete" label={t('settings.delete')} why={why('delete-channel')} />
      </div>
    </section>
  )
}

/** The channel's id, and which activity it records. */
function Recorded({ channel: { cid, config } }: { readonly channel: Channel }) {
  const t = useTexts('details')
  const id = useId()
  const recorded = (on: boolean): string => (on ? t('recorded.on') : t('recorded.off'))
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h3 id={id} className={styles['heading']}>
        {t('recorded.title')}
      </h3>
      <dl className={styles['facts']}>
        <dt>{t('recorded.read')}</dt>
        <dd>{recorded(config.readEvents)}</dd>
        <dt>{t('recorded.typing')}</dt>
        <dd>{recorded(config.typingEvents)}</dd>
        <dt>{t('recorded.delivery')}</dt>
        <dd>{recorded(config.deliveryEvents === true)}</dd>
        <dt>{t('recorded.locations')}</dt>
        <dd>{recorded(config.sharedLocations)}</dd>
        <dt>{t('about.id')}</dt>
        <dd>
          <code>{cid}</code>
        </dd>
      </dl>
    </section>
  )
}

type RulesProps = { readonly channel: Channel; readonly why: (capability: string) => string | undefined }

function Rules({ channel, why }: RulesProps) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const { cid, config } = channel
  const slowId = useId()
  const update = why('update-channel')
  const slow = why('set-channel-cooldown')
  return (
    <div className={styles['section']}>
      <Rule
        name={t('settings.typing')}
        hint={t('settings.typingHint')}
        on={config.typingEvents}
        why={update}
        onChange={(typingEvents) => void dispatch(changeChannel({ cid, typingEvents }))}
      />
      <Rule name={t('settings.read')} hint={t('settings.readHint')} on={config.readEvents} why={t('why.type')} />
      <Rule
        name={t('settings.locations')}
        hint={t('settings.locationsHint')}
        on={config.sharedLocations}
        why={update}
        onChange={(sharedLocations) => void dispatch(changeChannel({ cid, sharedLocations }))}
      />
      <Line id={slowId} name={t('settings.slow')} hint={t('settings.slowHint')} why={slow}>
        <span className={styles['select']}>
          <select
            aria-labelledby={slowId}
            aria-describedby={`${slowId}-hint`}
            disabled={slow !== undefined}
            value={channel.cooldown}
            onChange={(event) => void dispatch(changeChannel({ cid, cooldown: Number(event.currentTarget.value) }))}
          >
            {[...new Set([...PAUSES, channel.cooldown])]
              .toSorted((a, b) => a - b)
              .map((seconds) => (
                <option key={seconds} value={seconds}>
                  {seconds === 0 ? t('settings.slowOff') : t('settings.seconds', { count: seconds })}
                </option>
              ))}
          </select>
          <Icon name="chevron-down" size={14} />
        </span>
      </Line>
      <Rule
        name={t('settings.freeze')}
        hint={t('settings.freezeHint')}
        on={channel.frozen}
        why={why('freeze-channel')}
        onChange={(frozen) => void dispatch(changeChannel({ cid, frozen }))}
      />
    </div>
  )
}

type LastProps = {
  readonly cid: Cid
  readonly what: Dialogs['channel']['what']
  readonly label: string
  readonly why: string | undefined
}

function Last({ cid, what, label, why }: LastProps) {
  const dispatch = useAppDispatch()
  return (
    <Button
      block
      aria-disabled={why !== undefined}
      onClick={() => why === undefined && dispatch(dialogOpened({ kind: 'channel', what, cid }))}
    >
      <span className={why === undefined ? styles['danger'] : undefined}>{label}</span>
      {why === undefined ? null : <span className={styles['reason']}>{why}</span>}
    </Button>
  )
}

/** Sets or removes the channel's picture, which is scaled down before upload. */
function PictureField({ channel, why }: { readonly channel: Channel; readonly why: string | undefined }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const { cid } = channel
  const send = async (file: File | undefined): Promise<ErrorBody | undefined> => {
    try {
      const image = file === undefined ? undefined : await pictureFrom(file)
      const sent = await dispatch(setImage({ cid, image }))
      return sent.ok ? undefined : sent.error
    } catch {
      // The browser could not decode the picture.
      return { code: 'picture/unreadable' }
    }
  }
  return (
    <Field
      label={t('settings.picture')}
      picture={<ChannelTile cid={cid} />}
      chooseLabel={t('settings.choosePicture')}
      removeLabel={channel.image === undefined ? undefined : t('settings.removePicture')}
      disabled={why !== undefined}
      onSend={send}
    />
  )
}

/** Edits name and topic in place. The typed text stays when the server refuses it. */
function NameForm({ channel, why }: { readonly channel: Channel; readonly why: string | undefined }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const [typed, setTyped] = useState<{ name?: string; topic?: string }>({})
  const formMessage = useRemark((own: 'nameMissing') => t(`settings.${own}`))
  const [working, setWorking] = useState(false)
  const name = typed.name ?? channel.name
  const topic = typed.topic ?? channel.topic ?? ''
  const changed = name !== channel.name || topic !== (channel.topic ?? '')
  const save = async (): Promise<void> => {
    if (why !== undefined || !changed) return
    if (isBlank(name)) {
      formMessage.show('nameMissing')
      return
    }
    setWorking(true)
    const saved = await dispatch(saveNames({ cid: channel.cid, name: name.trim(), topic: topic.trim() }))
    setWorking(false)
    if (!saved.ok) {
      formMessage.refuse(saved.error)
      return
    }
    setTyped({})
    formMessage.clear()
    announce(t('settings.saved'))
  }
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={t('settings.name')}
        value={name}
        maxLength={100}
        autoComplete="off"
        readOnly={why !== undefined}
        error={formMessage.text}
        hint={why}
        onChange={(value) => {
          setTyped({ ...typed, name: value })
          formMessage.clear()
        }}
      />
      <TextArea
        label={t('settings.topic')}
        optional={t('settings.optional')}
        value={topic}
        maxLength={500}
        readOnly={why !== undefined}
        onChange={(value) => setTyped({ ...typed, topic: value })}
      />
      {changed ? (
        <div className={styles['formFoot']}>
          <Button type="submit" variant="primary" working={working} aria-disabled={why !== undefined}>
            {t('settings.save')}
          </Button>
        </div>
      ) : null}
    </form>
  )
}

type Listed = { readonly bans: readonly Ban[]; readonly more: boolean }

/** Banned people with date and reason, and a button to unban. */
export function BansList({ cid, why }: { readonly cid: Cid; readonly why: string | undefined }) {
  const t = useTexts('details')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const headingId = useId()
  const [listed, setListed] = useState<Listed>()
  const [error, setError] = useState<ErrorBody>()
  // Reloads when a dialog over the panel closes, because it may have changed the bans.
  const dialogOpen = useAppSelector((state) => state.ui.dialog !== undefined)
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadBans({ cid }))
      if (!live) return
      if (loaded.ok) setListed(loaded.value)
      setError(loaded.ok ? undefined : loaded.error)
    }
    if (why === undefined && !dialogOpen) void load()
    return () => {
      live = false
    }
  }, [dispatch, cid, why, dialogOpen])
  return (
    <div className={styles['section']}>
      <h3 id={headingId} className={styles['heading']}>
        {t('bans.title')}
      </h3>
      {why === undefined ? (
        <>
          <Refusal text={error && errorText(error)} />
          {listed?.bans.length === 0 ? <p className={styles['note']}>{t('bans.none')}</p> : null}
          <ul aria-labelledby={headingId}>
            {(listed?.bans ?? []).map((ban) => (
              <BanRow
                key={ban.userId}
                cid={cid}
                ban={ban}
                onUnbanned={() => setListed((known) => known && without(known, ban))}
              />
            ))}
          </ul>
          {listed?.more === true ? (
            <p className={styles['note']}>{t('bans.newest', { count: listed.bans.length })}</p>
          ) : null}
        </>
      ) : (
        <p className={styles['note']}>
          {t('bans.who')} <span className={styles['why']}>{why}</span>
        </p>
      )}
    </div>
  )
}

const without = ({ bans, more }: Listed, { userId }: Ban): Listed => ({
  bans: bans.filter((one) => one.userId !== userId),
  more,
})

type RowProps = { readonly cid: Cid; readonly ban: Ban; readonly onUnbanned: () => void }

function BanRow({ cid, ban, onUnbanned }: RowProps) {
  const t = useTexts('details')
  const profile = useTexts('profile')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const name = useName(ban.userId)
  const by = useUser(ban.byId ?? asUserId(''))
  const date = formats.dayAndTime(ban.since)
  const unbanThem = async (): Promise<void> => {
    const unbanned = await dispatch(unban({ cid, userId: ban.userId }))
    if (!unbanned.ok) return
    announce(profile('unbanned', { name }))
    onUnbanned()
  }
  return (
    <li className={styles['setting']}>
      <Portrait userId={ban.userId} size={32} />
      <div className={styles['itemText']}>
        <div className={styles['first']}>
          <button
            type="button"
            className={styles['nameButton']}
            onClick={() => dispatch(dialogOpened({ kind: 'person', userId: ban.userId }))}
          >
            <bdi>{name}</bdi>
          </button>
          {ban.shadow ? <Tag tone="danger">{t('members.shadowBanned')}</Tag> : null}
        </div>
        <div className={styles['settingHint']}>
          {by === undefined ? t('bans.since', { date }) : t('bans.sinceBy', { date, name: cleanName(by.name) })}
        </div>
        <div className={styles['settingHint']}>
          {ban.until === undefined ? t('bans.forGood') : t('bans.until', { time: formats.dayAndTime(ban.until) })}
        </div>
        {ban.reason === undefined ? null : (
          <div className={styles['settingHint']} dir="auto">
            {ban.reason}
          </div>
        )}
      </div>
      <Button size="small" aria-label={t('bans.unbanOf', { name })} onClick={() => void unbanThem()}>
        {t('bans.unban')}
      </Button>
    </li>
  )
}

/** The picture of a channel, or the icon of its kind; in a direct message the other person's portrait. */
export function ChannelTile({ cid }: { readonly cid: Cid }) {
  const channel = useChannel(cid)
  const other = useUser(channel?.directUserId)
  const { url, failed, onError } = useMediaUrl(channel?.image, 'thumb')
  if (other !== undefined) return <Portrait userId={other.id} size={72} presence={presenceOf(other)} />
  return (
    <div className={styles['tile']} aria-hidden="true">
      {url !== undefined && !failed ? (
        <img src={url} alt="" draggable={false} onError={onError} />
      ) : (
        <Icon
          name={(channel?.directUserIds.length ?? 0) > 0 ? 'users' : channel?.isPrivate === true ? 'lock' : 'hash'}
          size={26}
        />
      )}
    </div>
  )
}
