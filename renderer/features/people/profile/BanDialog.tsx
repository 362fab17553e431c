import { useId, useState } from 'react'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useUser } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Radios } from '../../../ui/Choice/Radios.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TextArea } from '../../../ui/Field/TextField.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { banPerson } from './commands.ts'
import styles from './Profile.module.css'

/** See docs/wire.md 3.13; also within the limit of the bridge. */
const REASON_LIMIT = 400

type Kind = 'open' | 'shadow'

/** Bans a user from a channel: kind, duration and reason, with the effect of each kind. */
export function BanDialog({ cid, userId }: { readonly cid: Cid; readonly userId: UserId }) {
  const t = useTexts('profile')
  const common = useTexts('common')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const now = useMinute()
  const name = cleanName(useUser(userId)?.name ?? userId)
  const channel = useAppSelector((state) => channelTitle(state, cid))
  const [kind, setKind] = useState<Kind>('open')
  const [choice, setChoice] = useState<BanChoice>('24h')
  const [reason, setReason] = useState('')
  const [erase, setErase] = useState(false)
  const formMessage = useRemark()
  const [working, setWorking] = useState(false)
  const close = (): void => void dispatch(dialogClosed())
  const submit = async (): Promise<void> => {
    setWorking(true)
    const forMs = banLength(choice)
    const banned = await dispatch(banPerson({ cid, userId, forMs, reason, shadow: kind === 'shadow', erase }))
    setWorking(false)
    if (!banned.ok) {
      formMessage.refuse(banned.error)
      return
    }
    announce(t('banDialog.done', { name, channel }))
    close()
  }
  return (
    <Dialog
      width={440}
      title={t('banDialog.title', { name, channel })}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="danger" working={working}>
            {t(`banDialog.confirm.${kind}`)}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <Radios
          label={t('banDialog.kind')}
          value={kind}
          onChange={setKind}
          choices={(['open', 'shadow'] as const).map((value) => ({ value, label: t(`banDialog.kinds.${value}`) }))}
        />
        <p className={styles['effect']} aria-live="polite">
          {t(`banDialog.effects.${kind}`)}
        </p>
        <Radios
          label={t('banDialog.for')}
          value={choice}
          onChange={setChoice}
          choices={BAN_CHOICES.map((value) => {
            const length = banLength(value)
            const label = t(`banDialog.choices.${value}`)
            return length === undefined ? { value, label } : { value, label, hint: formats.dayAndTime(now + length) }
          })}
        />
        <TextArea
          label={t('banDialog.reason')}
          optional={t('reportDialog.optional')}
          maxLength={REASON_LIMIT}
          value={reason}
          onChange={setReason}
        />
        <EraseSwitch on={erase} onChange={setErase} />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

/** Whether the ban deletes the person's messages as well. */
function EraseSwitch({ on, onChange }: { readonly on: boolean; readonly onChange: (on: boolean) => void }) {
  const t = useTexts('profile')
  const id = useId()
  return (
    <div className={styles['switchRow']}>
      <div>
        <div id={`${id}-erase`} className={styles['label']}>
          {t('banDialog.erase')}
        </div>
        <div id={`${id}-hint`} className={styles['effect']}>
          {t('banDialog.eraseHint')}
        </div>
      </div>
      <Switch labelledBy={`${id}-erase`} describedBy={`${id}-hint`} on={on} onChange={onChange} />
    </div>
  )
}

const BAN_CHOICES = ['1h', '24h', '7d', '30d', 'always'] as const
type BanChoice = (typeof BAN_CHOICES)[number]

const HOUR_MS = 3_600_000
const LENGTHS: Readonly<Record<Exclude<BanChoice, 'always'>, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
}

/** Milliseconds; `undefined`: until an unban. */
const banLength = (choice: BanChoice): number | undefined => (choice === 'always' ? undefined : LENGTHS[choice])
