import { useId, useState } from 'react'
import type { BanTerms, ReviewItem } from '#shared/domain/manage/review.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Radios } from '../../../ui/Choice/Radios.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { TextArea } from '../../../ui/Field/TextField.tsx'
import { Needs, useMayManage } from '../index.ts'
import { useWords } from './use-words.ts'
import styles from './Review.module.css'

type Props = {
  readonly items: readonly Pick<ReviewItem, 'id' | 'authorId' | 'cid'>[]
  readonly shadow: boolean
  readonly onBan: (terms: BanTerms) => void
  readonly onClose: () => void
}

/** Also within the limit of the bridge. */
const REASON_LIMIT = 400
const HOUR = 60
const LENGTHS = { '1h': HOUR, '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR, always: undefined } as const
type Length = keyof typeof LENGTHS
const KEEP = 'keep'
const MESSAGES = [KEEP, 'soft', 'pruning', 'hard'] as const

/** Where, for how long and why the authors are banned, and what happens to their messages. */
export function BanDialog({ items, shadow: isShadow, onBan, onClose }: Props) {
  const t = useTexts('review')
  const common = useTexts('common')
  const words = useWords()
  const mayEverywhere = useMayManage('ban-everywhere')
  const hasChannel = items.every(({ cid }) => cid !== undefined)
  const [scope, setScope] = useState<BanTerms['scope']>(hasChannel ? 'channel' : 'everywhere')
  const [length, setLength] = useState<Length>('24h')
  const [reason, setReason] = useState('')
  const [messages, setMessages] = useState<(typeof MESSAGES)[number]>(KEEP)
  const [shadow, setShadow] = useState(isShadow)
  const isPossible = scope === 'channel' ? hasChannel : mayEverywhere
  const submit = (): void => {
    if (!isPossible) return
    onBan({
      scope,
      minutes: LENGTHS[length],
      reason: reason.trim() === '' ? undefined : reason.trim(),
      shadow,
      messages: messages === KEEP ? undefined : messages,
    })
  }
  const scopes = (['channel', 'everywhere'] as const).filter((each) =>
    each === 'channel' ? hasChannel : mayEverywhere || !hasChannel,
  )
  return (
    <Dialog
      width={440}
      title={
        items.length === 1
          ? t('banDialog.title', { name: words.name(items[0]?.authorId) })
          : t('banDialog.titleMany', { count: items.length })
      }
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="danger" aria-disabled={!isPossible || undefined}>
            {shadow ? t('banDialog.shadow') : t('banDialog.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <span aria-hidden="true" className={styles['legend']}>
          {t('banDialog.where')}
        </span>
        <Radios
          label={t('banDialog.where')}
          value={scope}
          onChange={setScope}
          choices={scopes.map((value) => ({
            value,
            label: t(`banDialog.${value === 'channel' && items.length > 1 ? 'channels' : value}`),
          }))}
        />
        {mayEverywhere ? null : <Needs right="ban-everywhere">{null}</Needs>}
        <LengthField value={length} onChange={setLength} />
        <TextArea
          label={t('banDialog.reason')}
          optional={t('banDialog.optional')}
          maxLength={REASON_LIMIT}
          value={reason}
          onChange={setReason}
        />
        <MessagesField value={messages} onChange={setMessages} />
        <ShadowSwitch on={shadow} onChange={setShadow} />
      </div>
    </Dialog>
  )
}

function LengthField({ value, onChange }: { readonly value: Length; readonly onChange: (value: Length) => void }) {
  const t = useTexts('review')
  const formats = useFormats()
  const now = useMinute()
  return (
    <>
      <span aria-hidden="true" className={styles['legend']}>
        {t('banDialog.for')}
      </span>
      <Radios
        label={t('banDialog.for')}
        value={value}
        onChange={onChange}
        choices={(Object.keys(LENGTHS) as Length[]).map((each) => {
          const minutes = LENGTHS[each]
          return {
            value: each,
            label: t(`banDialog.choices.${each}`),
            hint: minutes === undefined ? undefined : formats.dayAndTime(now + minutes * 60_000),
          }
        })}
      />
    </>
  )
}

type Messages = (typeof MESSAGES)[number]

/** What happens to their messages; the line below says what can be undone. */
function MessagesField({
  value,
  onChange,
}: {
  readonly value: Messages
  readonly onChange: (value: Messages) => void
}) {
  const t = useTexts('review')
  return (
    <>
      <span aria-hidden="true" className={styles['legend']}>
        {t('banDialog.messages')}
      </span>
      <Radios
        label={t('banDialog.messages')}
        value={value}
        onChange={onChange}
        choices={MESSAGES.map((each) => ({ value: each, label: t(`banDialog.messageChoices.${each}`) }))}
      />
      <p className={styles['hint']} aria-live="polite">
        {t(`banDialog.messageHints.${value}`)}
      </p>
    </>
  )
}

function ShadowSwitch({ on, onChange }: { readonly on: boolean; readonly onChange: (on: boolean) => void }) {
  const t = useTexts('review')
  const id = useId()
  return (
    <div className={styles['switchRow']}>
      <div>
        <div id={`${id}-name`} className={styles['switchName']}>
          {t('banDialog.shadow')}
        </div>
        <div id={`${id}-hint`} className={styles['hint']}>
          {t('banDialog.shadowHint')}
        </div>
      </div>
      <Switch labelledBy={`${id}-name`} describedBy={`${id}-hint`} on={on} onChange={onChange} />
    </div>
  )
}
