import { type ReactNode, useState, useEffect } from 'react'
import { shallowEqual } from 'react-redux'
import type { NotifyRecord, NotifyProof } from '#shared/domain/notification.ts'
import { asCid } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { withOwnLevel } from '#shared/rules/notifications/notifying.ts'
import type { KeywordCount as Count } from '#shared/domain/search.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useHost, useSession } from '../../../store/hooks.ts'
import { Segments, Select } from '../../../ui/Choice/Choice.tsx'
import { openDestination } from '../../../store/window/destination.ts'
import { selectChannel } from '../../../store/selectors.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { More, SettingRow, CommaListForm, ManagedBy, useIsManaged } from '../controls/SettingRow.tsx'
import { askNotifications, proveNotifications, countKeywords } from '../commands.ts'
import { OtherSounds, Sound, useChoices } from './Sounds.tsx'
import { useReason } from '../../notifications/index.ts'
import { When } from './When.tsx'
import styles from './Notifications.module.css'
import keywordCountStyles from '../Settings.module.css'

const LEVELS = ['mentions', 'all', 'none'] as const
const PREVIEWS = ['full', 'sender', 'nothing'] as const
const FLASHES = ['once', 'until-opened', 'never'] as const
const BADGES = ['mentions', 'all', 'off'] as const
/** Named on the row; the dialog lists all. */
const SHOWN_CHANNELS = 3

/** Three questions: about what, when and how. */
export function Notifications() {
  const t = useTexts('notifications')
  return (
    <>
      <h2>{t('page.what')}</h2>
      <Level />
      <Keywords />
      <ChannelsWithLevels />
      <h2>{t('page.when')}</h2>
      <When />
      <h2>{t('page.how')}</h2>
      <Preview />
      <Sound />
      <Badge />
      <Rare />
      <Help />
    </>
  )
}

function Level() {
  const t = useTexts('notifications')
  const [{ level }, choose] = useChoices()
  return (
    <SettingRow title={t('page.level')} hint={t(`page.levelHints.${level}`)}>
      <Segments
        label={t('page.level')}
        value={level}
        onChange={(value) => choose({ level: value })}
        choices={LEVELS.map((value) => ({ value, label: t(`page.levels.${value}`) }))}
      />
    </SettingRow>
  )
}

/** How much a notification shows. */
function Preview() {
  const t = useTexts('notifications')
  const [{ preview }, choose] = useChoices()
  const isManaged = useIsManaged('NotificationContent')
  return (
    <SettingRow title={t('page.preview')}>
      {isManaged ? (
        <ManagedBy />
      ) : (
        <Select
          label={t('page.preview')}
          value={preview}
          onChange={(value) => choose({ preview: value })}
          choices={PREVIEWS.map((value) => ({ value, label: t(`page.previews.${value}`) }))}
        />
      )}
    </SettingRow>
  )
}

function Badge() {
  const t = useTexts('notifications')
  const [{ badge }, choose] = useChoices()
  return (
    <SettingRow title={t('page.badge')}>
      <Segments
        label={t('page.badge')}
        value={badge}
        onChange={(value) => choose({ badge: value })}
        choices={BADGES.map((value) => ({ value, label: t(`page.badges.${value}`) }))}
      />
    </SettingRow>
  )
}

/** The other sounds, and the icon that moves: absent where there is neither. */
function Rare() {
  const t = useTexts('notifications')
  const { kind } = useHost()
  const [{ flash, sound }, choose] = useChoices()
  if (kind === 'browser' && !sound) return null
  return (
    <More what={kind === 'browser' ? t('page.moreSounds') : t('page.more')}>
      {sound ? <OtherSounds /> : null}
      {kind === 'browser' ? null : (
        <SettingRow title={t('page.flash')} hint={t('page.flashHint')}>
          <Segments
            label={t('page.flash')}
            value={flash}
            onChange={(value) => choose({ flash: value })}
            choices={FLASHES.map((value) => ({ value, label: t(`page.flashes.${value}`) }))}
          />
        </SettingRow>
      )}
    </More>
  )
}

const LIMIT = 100

const countOf = (keywords: readonly string[]): ReactNode => <KeywordCount keywords={keywords} />

/** Keywords that notify like a mention: the list, and a dialog to change it. */
function Keywords() {
  const t = useTexts('notifications')
  const formats = useFormats()
  const [{ keywords }, choose] = useChoices()
  const [isOpen, setOpen] = useState(false)
  const faultOf = (words: readonly string[]): string | undefined => {
    const tooLong = words.find((word) => word.length > LIMIT)
    if (tooLong !== undefined) return t('page.keywordTooLong', { word: tooLong.slice(0, 20), count: LIMIT })
    return words.length > LIMIT ? t('page.keywordsTooMany', { count: LIMIT }) : undefined
  }
  return (
    <SettingRow
      title={t('page.keywords')}
      hint={keywords.length === 0 ? t('page.keywordsNone') : formats.list(keywords)}
    >
      <Button aria-haspopup="dialog" aria-label={t('page.keywordsEdit')} onClick={() => setOpen(true)}>
        {t('page.edit')}
      </Button>
      {isOpen ? (
        <Dialog title={t('page.keywords')} onClose={() => setOpen(false)}>
          <CommaListForm
            label={t('page.keywords')}
            hint={t('page.keywordsHint')}
            saveLabel={t('page.keepKeywords')}
            saved={keywords}
            faultOf={faultOf}
            onSave={(words) => {
              choose({ keywords: words })
              setOpen(false)
            }}
            below={countOf}
          />
        </Dialog>
      ) : null}
    </SettingRow>
  )
}

/** Channels of this account with their own level, and a dialog to change each. */
function ChannelsWithLevels() {
  const t = useTexts('notifications')
  const formats = useFormats()
  const account = sidebarKey(useSession())
  const [choices, choose] = useChoices()
  const [isOpen, setOpen] = useState(false)
  const levels = choices.levels[account] ?? {}
  const cids = Object.keys(levels).map(asCid)
  const names = useAppSelector(
    (state) => cids.map((cid) => (selectChannel(state, cid) === undefined ? cid : channelTitle(state, cid))),
    shallowEqual,
  )
  return (
    <SettingRow
      title={t('page.channels')}
      hint={cids.length === 0 ? t('page.channelsNone') : formats.list(names.slice(0, SHOWN_CHANNELS))}
    >
      {cids.length === 0 ? null : (
        <Button aria-haspopup="dialog" aria-label={t('page.channelsShow')} onClick={() => setOpen(true)}>
          {t('page.showLast')}
        </Button>
      )}
      {isOpen ? (
        <Dialog title={t('page.channels')} onClose={() => setOpen(false)}>
          {cids.map((cid, index) => (
            <SettingRow key={cid} title={names[index] ?? cid}>
              <Select
                label={names[index] ?? cid}
                value={levels[cid] ?? 'usual'}
                onChange={(value) =>
                  choose(withOwnLevel(choices, account, { cid, level: value === 'usual' ? undefined : value }))
                }
                choices={[
                  { value: 'usual', label: t('level.usual') },
                  ...LEVELS.map((value) => ({ value, label: t(`page.levels.${value}`) })),
                ]}
              />
            </SettingRow>
          ))}
        </Dialog>
      ) : null}
    </SettingRow>
  )
}

/** Log of recent messages: notified or not, and why. Loaded when it is opened; never stored. */
function LogDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const [records, setRecords] = useState<readonly NotifyRecord[]>()
  useEffect(() => {
    let isShown = true
    void dispatch(askNotifications()).then((answer) => isShown && answer.ok && setRecords(answer.value))
    return () => {
      isShown = false
    }
  }, [dispatch])
  return (
    <Dialog title={t('page.last')} width={640} onClose={onClose}>
      <p className={styles['hint']}>{t('page.lastHint')}</p>
      {records === undefined ? null : records.length === 0 ? (
        <p>{t('page.noneLast')}</p>
      ) : (
        <ul className={styles['last']}>
          {records.map((record) => (
            <Line key={record.messageId} record={record} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Line({ record }: { readonly record: NotifyRecord }) {
  const t = useTexts('notifications')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const channel = useAppSelector((state) => selectChannel(state, record.cid))
  const reason = useReason(record)
  const { cid, messageId, at, notifies } = record
  return (
    <li className={styles['line']}>
      <time dateTime={new Date(at).toISOString()}>{formats.dayAndTime(at)}</time>
      <span>
        <button type="button" onClick={() => openDestination(dispatch, { type: 'focus', cid, messageId })}>
          {channel?.name ?? cid}
        </button>
        <strong>{t(notifies ? 'trail.notified' : 'trail.notNotified')}</strong> {reason}
      </span>
    </li>
  )
}

/** For those who miss notifications: a test, which says where it was suppressed, and the log. */
function Help() {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const [isAsking, setIsAsking] = useState(false)
  const [showsLog, setShowsLog] = useState(false)
  const [proof, setProof] = useState<NotifyProof>()
  const permission = useBrowserPermission()
  const prove = async (): Promise<void> => {
    setIsAsking(true)
    setProof(undefined)
    await permission.ask()
    const answer = await dispatch(proveNotifications())
    setIsAsking(false)
    if (answer.ok) setProof(answer.value)
  }
  return (
    <div className={styles['help']}>
      <SettingRow
        title={t('page.help')}
        hint={
          <span role="status">
            {proof === undefined ? null : t(`page.outcomes.${permission.refused ? 'blocked' : proof.outcome}`)}
            {proof === undefined || proof.quiet === 'nothing' ? null : <> {t(`page.quietNow.${proof.quiet}`)}</>}
          </span>
        }
      >
        <span className={styles['buttons']}>
          <Button disabled={isAsking} onClick={() => void prove()}>
            {t('page.prove')}
          </Button>
          <Button aria-haspopup="dialog" onClick={() => setShowsLog(true)}>
            {t('page.last')}
          </Button>
        </span>
      </SettingRow>
      {showsLog ? <LogDialog onClose={() => setShowsLog(false)} /> : null}
    </div>
  )
}

/** In a browser, notifications need permission, which can be requested only after a click. */
function useBrowserPermission(): { readonly refused: boolean; readonly ask: () => Promise<void> } {
  const [refused, setRefused] = useState(false)
  return {
    refused,
    async ask() {
      if (!('Notification' in window)) return
      const answer =
        Notification.permission === 'default' ? await Notification.requestPermission() : Notification.permission
      setRefused(answer === 'denied')
    },
  }
}

/** The count is updated after this pause in typing. */
const PAUSE_MS = 400
/** Limit of the settings, for the number of keywords and the length of each. */
const MAX_KEYWORDS = 100

/** How many recent messages the keywords would match. */
function KeywordCount({ keywords }: { readonly keywords: readonly string[] }) {
  const t = useTexts('notifications')
  const count = useCount(keywords)
  if (keywords.length === 0) return null
  return (
    <p role="status" className={keywordCountStyles['hint']}>
      {count === undefined || count.of === 0 ? null : t('page.keywordsCount', { count: count.matched, of: count.of })}
    </p>
  )
}

function useCount(words: readonly string[]): Count | undefined {
  const dispatch = useAppDispatch()
  const [known, setKnown] = useState<{ readonly key: string; readonly count: Count }>()
  const key = words.join('\n')
  useEffect(() => {
    const keywords = key.split('\n').filter((word) => word !== '' && word.length <= MAX_KEYWORDS)
    if (keywords.length === 0 || keywords.length > MAX_KEYWORDS) return undefined
    let isCurrent = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(countKeywords({ keywords }))
      if (isCurrent && answer.ok) setKnown({ key, count: answer.value })
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [dispatch, key])
  return known?.key === key ? known.count : undefined
}
