import type { Channel } from '#shared/domain/channel.ts'
import { isChosen, withChosen } from '#shared/rules/channels/channels.ts'
import { spellingAt, withSpellingIn } from '#shared/rules/desktop/desktop.ts'
import { withChannel } from '#shared/rules/messages/link-previews.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { isTraceless, maySendRead, withTraceless } from '#shared/rules/channels/unread.ts'
import { useLanguageNames, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useHost, useSession, useSetting, useSettings } from '../../../store/hooks.ts'
import { updateSettings } from '../../settings/index.ts'
import { useId, type ReactNode } from 'react'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import styles from '../Info.module.css'

/** Typing indicator, link previews and spelling for this channel, overriding the general settings. */
export function Writing({ channel }: { readonly channel: Channel }) {
  const { typingEvents, urlEnrichment } = channel.config
  const languages = useSettings().desktop.spelling
  const { kind } = useHost()
  const isSpelled = kind !== 'browser' && languages.length > 1
  if (!typingEvents && urlEnrichment !== true && !isSpelled) return null
  return (
    <section className={styles['section']}>
      {typingEvents ? <Typing channel={channel} /> : null}
      {urlEnrichment === true ? <Previews channel={channel} /> : null}
      {isSpelled ? <Spelling channel={channel} /> : null}
    </section>
  )
}

function Typing({ channel: { cid } }: { readonly channel: Channel }) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const session = useSession()
  const { publishTyping, quietTyping } = useSettings()
  return (
    <Rule
      name={t('here.typing')}
      hint={t('here.typingHint')}
      on={publishTyping && !isChosen(quietTyping, session, cid)}
      why={publishTyping ? undefined : t('here.typingOff')}
      onChange={(on) => void dispatch(updateSettings({ quietTyping: withChosen(quietTyping, session, cid, !on) }))}
    />
  )
}

/** Which of several spelling languages are used here. */
function Spelling({ channel: { cid } }: { readonly channel: Channel }) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const nameOf = useLanguageNames()
  const place = { account: sidebarKey(useSession()), cid }
  const { desktop } = useSettings()
  const checked = spellingAt(desktop, place)
  return desktop.spelling.map((language) => (
    <Rule
      key={language}
      name={t('here.spelling', { language: nameOf(language) })}
      hint={t('here.spellingHint')}
      on={checked.includes(language)}
      onChange={(on) => {
        const spellingIn = withSpellingIn(desktop, place, language, on)
        void dispatch(updateSettings({ desktop: { ...desktop, spellingIn } }))
      }}
    />
  ))
}

function Previews({ channel: { cid } }: { readonly channel: Channel }) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const account = sidebarKey(useSession())
  const { linkPreviews } = useSettings()
  const { mode, channels } = linkPreviews
  return (
    <Rule
      name={t('here.previews')}
      hint={t(`here.previewsHints.${mode}`)}
      on={channels[account]?.[cid] ?? mode === 'on'}
      onChange={(on) => {
        // The same value as the general setting is stored as no exception; while that is "ask", either value is an exception.
        const own = mode !== 'ask' && on === (mode === 'on') ? undefined : on
        void dispatch(updateSettings({ linkPreviews: withChannel(linkPreviews, { account, cid }, own) }))
      }}
    />
  )
}

/** Setting that hides pictures, videos and link previews of this channel until clicked. */
export function HiddenMedia({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const session = useSession()
  const hiddenMedia = useSetting('hiddenMedia')
  return (
    <section className={styles['section']}>
      <Rule
        name={t('hiddenMedia.title')}
        hint={t('hiddenMedia.hint')}
        on={isChosen(hiddenMedia, session, cid)}
        onChange={(on) => void dispatch(updateSettings({ hiddenMedia: withChosen(hiddenMedia, session, cid, on) }))}
      />
    </section>
  )
}

/** Setting that reads without read receipts. Absent if the channel sends none. */
export function Traceless({ channel }: { readonly channel: Channel }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const session = useSession()
  const traceless = useSetting('traceless')
  if (!maySendRead(channel)) return null
  return (
    <section className={styles['section']}>
      <Rule
        name={t('traceless.title')}
        hint={t('traceless.hint')}
        on={isTraceless(traceless, session, channel.cid)}
        onChange={(on) =>
          void dispatch(updateSettings({ traceless: withTraceless(traceless, session, channel.cid, on) }))
        }
      />
    </section>
  )
}

type RuleProps = {
  readonly name: string
  readonly hint: string
  readonly on: boolean
  /** Why it cannot be changed. */
  readonly why?: string
  readonly onChange?: (on: boolean) => void
}

/** A channel setting that is on or off, with a description. */
export function Rule({ name, hint, on, why, onChange }: RuleProps) {
  const id = useId()
  return (
    <Line id={id} name={name} hint={hint} why={why}>
      <Switch
        labelledBy={id}
        describedBy={`${id}-hint`}
        on={on}
        disabled={why !== undefined}
        onChange={(next) => onChange?.(next)}
      />
    </Line>
  )
}

type LineProps = {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly why?: string
  readonly children: ReactNode
}

/** The same layout with any control. */
export function Line({ id, name, hint, why, children }: LineProps) {
  return (
    <div className={styles['setting']}>
      <div className={styles['itemText']}>
        <div id={id} className={styles['settingName']}>
          {name}
        </div>
        <div id={`${id}-hint`} className={styles['settingHint']}>
          {hint}
          {why === undefined ? null : <span className={styles['why']}>{why}</span>}
        </div>
      </div>
      {children}
    </div>
  )
}
