import { useRef, useState, type RefObject } from 'react'
import { pausedUntil } from '#shared/rules/notifications/notifying.ts'
import type { User } from '#shared/domain/user.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection, useMe, useObject, useSetting } from '../../../store/hooks.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { nameFor } from '../../../lib/page/stored.ts'
import { perAccount } from '../../../store/objects.ts'
import { EmojiGlyph, EmojiPopover, EmojiText } from '../../emoji/index.ts'
import { changeProfile, updateSettings } from '../commands.ts'
import { SwitchRow } from '../controls/SettingRow.tsx'
import { StatusEndField } from '../pages/Account.tsx'
import styles from './StatusDialog.module.css'

/** Shorter than what a server stores: the emoji before it counts as well. */
const TEXT_LENGTH = 100

/** What a status is made of: an emoji at its start, which others see before the text, and the text. */
type Parts = { readonly emoji: string; readonly text: string }

const LEADING_EMOJI = /^(\p{RGI_Emoji}|:[\w+\-]+:)\s*/v

/** Splits a status; a status without a leading emoji has only text. */
export function statusParts(status: string): Parts {
  const emoji = LEADING_EMOJI.exec(status)
  return emoji === null ? { emoji: '', text: status } : { emoji: emoji[1] ?? '', text: status.slice(emoji[0].length) }
}

const joined = ({ emoji, text }: Parts): string => [emoji, text.trim()].filter((part) => part !== '').join(' ')

/** The viewer's status: an emoji, a text, when it ends, whether notifications pause until then, and the last four. */
export function StatusDialog() {
  const me = useMe()
  const dispatch = useAppDispatch()
  return me === undefined ? null : <Form me={me} close={() => void dispatch(dialogClosed())} />
}

function Form({ me, close }: { readonly me: User; readonly close: () => void }) {
  const t = useTexts('preferences')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const notifications = useSetting('notifications')
  const recent = useObject(RECENT_STATUSES)
  const field = useRef<HTMLInputElement>(null)
  const remark = useRemark()
  const now = useMinute()
  const [parts, setParts] = useState(() => statusParts(me.statusText ?? ''))
  const [until, setUntil] = useState(me.statusUntil)
  const [pauses, setPauses] = useState(false)
  const [working, setWorking] = useState(false)
  const save = async (next: Parts, end: number | undefined): Promise<void> => {
    if (offline || working) return
    const statusText = joined(next)
    const statusUntil = statusText === '' ? undefined : end
    setWorking(true)
    const saved = await dispatch(changeProfile({ name: me.name, statusText, statusUntil }))
    setWorking(false)
    if (!saved.ok) return remark.refuse(saved.error)
    if (statusText !== '') {
      recent.add(statusUntil === undefined ? { text: statusText } : { text: statusText, forMs: statusUntil - now })
      if (pauses) {
        const resumeAt = statusUntil ?? pausedUntil('tomorrow', Date.now())
        void dispatch(updateSettings({ notifications: { ...notifications, pausedUntil: resumeAt } }))
      }
    }
    announce(statusText === '' ? t('status.cleared') : t('status.saved'))
    close()
  }
  const takeRecent = ({ text, forMs }: RecentStatus): void => {
    setParts(statusParts(text))
    setUntil(forMs === undefined ? undefined : now + forMs)
    field.current?.focus()
  }
  return (
    <Dialog
      title={t('status.title')}
      width={440}
      initialFocus={field}
      onClose={close}
      onSubmit={() => void save(parts, until)}
      hint={
        me.statusText === undefined ? undefined : (
          <Button
            variant="quiet"
            aria-disabled={offline || undefined}
            onClick={() => void save({ emoji: '', text: '' }, undefined)}
          >
            {t('status.clear')}
          </Button>
        )
      }
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {t('profile.save')}
          </Button>
        </>
      }
    >
      <StatusLine
        parts={parts}
        field={field}
        error={remark.text}
        offline={offline}
        onChange={(next) => {
          setParts(next)
          remark.clear()
        }}
      />
      <StatusEndField until={until} onChange={setUntil} />
      <SwitchRow title={t('status.pause')} hint={t('status.pauseHint')} on={pauses} onChange={setPauses} />
      <Recent recent={recent.list()} onTake={takeRecent} />
    </Dialog>
  )
}

type LineProps = {
  readonly parts: Parts
  readonly field: RefObject<HTMLInputElement | null>
  readonly error: string | undefined
  readonly offline: boolean
  readonly onChange: (parts: Parts) => void
}

/** The emoji beside the text. */
function StatusLine({ parts, field, error, offline, onChange }: LineProps) {
  const t = useTexts('preferences')
  const [picker, setPicker] = useState<Element>()
  return (
    <>
      <div className={styles['line']}>
        <button
          type="button"
          className={styles['emoji']}
          aria-label={parts.emoji === '' ? t('status.emoji') : t('status.emojiNow', { emoji: parts.emoji })}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => setPicker(currentTarget)}
        >
          {parts.emoji === '' ? <Icon name="smile-plus" /> : <EmojiGlyph text={parts.emoji} />}
        </button>
        <TextField
          ref={field}
          label={t('profile.status')}
          labelHidden
          placeholder={t('status.placeholder')}
          value={parts.text}
          maxLength={TEXT_LENGTH}
          autoComplete="off"
          error={error}
          hint={offline ? t('status.offline') : t('status.left', { count: TEXT_LENGTH - parts.text.length })}
          onChange={(text) => {
            onChange({ ...parts, text })
          }}
        />
      </div>
      {picker === undefined ? null : (
        <EmojiPopover
          anchor={picker}
          onPick={(emoji) => {
            setPicker(undefined)
            onChange({ ...parts, emoji })
          }}
          onClose={() => setPicker(undefined)}
        />
      )}
    </>
  )
}

type RecentProps = { readonly recent: readonly RecentStatus[]; readonly onTake: (status: RecentStatus) => void }

/** Statuses that were set before; a press takes one over. */
function Recent({ recent, onTake }: RecentProps) {
  const t = useTexts('preferences')
  const formats = useFormats()
  const now = useMinute()
  if (recent.length === 0) return null
  return (
    <section aria-labelledby="recent-statuses" className={styles['recent']}>
      <h3 id="recent-statuses">{t('status.recent')}</h3>
      <ul>
        {recent.map((status) => (
          <li key={status.text}>
            <button type="button" onClick={() => onTake(status)}>
              <span className="ellipsis">
                <EmojiText text={status.text} />
              </span>
              <span className={styles['length']}>
                {status.forMs === undefined ? t('profile.ends.never') : formats.timeOrDay(now + status.forMs, now)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const KEY = 'parlor.statuses'
const MAX = 4

/** A status that was set before: its text, and how long it was to last. */
type RecentStatus = { readonly text: string; readonly forMs?: number }

const isStatus = (found: unknown): found is RecentStatus =>
  typeof found === 'object' &&
  found !== null &&
  'text' in found &&
  typeof found.text === 'string' &&
  (!('forMs' in found) || typeof found.forMs === 'number')

/** The last statuses of one account on this device, newest first. */
class RecentStatuses {
  readonly #key: string

  constructor(account: string) {
    this.#key = nameFor(KEY, account)
  }

  list(): readonly RecentStatus[] {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '[]')
      return Array.isArray(found) ? found.filter(isStatus).slice(0, MAX) : []
    } catch {
      return []
    }
  }

  add(status: RecentStatus): void {
    try {
      const others = this.list().filter(({ text }) => text !== status.text)
      localStorage.setItem(this.#key, JSON.stringify([status, ...others].slice(0, MAX)))
    } catch (reason) {
      console.debug('recent status not stored', reason)
    }
  }
}

const RECENT_STATUSES = perAccount(({ account }) => new RecentStatuses(account))
