import { useState } from 'react'
import { isBlank } from '#shared/lib/clean-text.ts'
import { PERSON_NAME_LENGTH, STATUS_LENGTH } from '#shared/constants.ts'
import type { User } from '#shared/domain/user.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useTexts, useRemark, useFormats } from '../../../i18n/index.ts'
import { useAppDispatch, useSession, useConnection, useMe, useCanParticipate } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { PictureField, pictureFrom } from '../../../ui/Field/PictureField.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { MomentDialog } from '../../../ui/Dates/index.ts'
import { AccountCards } from '../../accounts/index.ts'
import { Portrait } from '../../people/index.ts'
import { useManage } from '../../manage/index.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import { changeProfile, setPortrait, saveApiSecret } from '../commands.ts'
import styles from '../Settings.module.css'

/** The signed-in workspace, with links to add others and to sign out. */
export function Account() {
  const t = useTexts('settings')
  const texts = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { workspace, userId, guest } = useSession()
  return (
    <>
      <AccountCards />
      <Profile />
      {workspace?.kind === 'hosted' ? <SettingRow title={texts('accounts.server')} hint={workspace.url} /> : null}
      {workspace?.kind === 'hosted' && guest !== true ? <ApiSecret /> : null}
      <SettingRow title={texts('accounts.userId')} hint={texts('accounts.userIdHint')}>
        <code className={styles['code']}>{userId}</code>
      </SettingRow>
      {workspace?.demo === true ? (
        <Button onClick={() => dispatch(dialogOpened({ kind: 'delete-demo' }))}>{t('account.deleteDemo')}</Button>
      ) : null}
    </>
  )
}

/** The viewer's profile in this workspace. */
function Profile() {
  const t = useTexts('preferences')
  const me = useMe()
  const { offline } = useConnection()
  const canParticipate = useCanParticipate()
  if (me === undefined || !canParticipate) return null
  return (
    <section aria-labelledby="own-profile" className={styles['profile']}>
      <h2 id="own-profile">{t('profile.title')}</h2>
      <p className={styles['hint']}>{offline ? t('profile.offline') : t('profile.lead')}</p>
      <Face me={me} offline={offline} />
      <StatusText me={me} offline={offline} />
    </section>
  )
}

type Props = { readonly me: User; readonly offline: boolean }

function Face({ me, offline }: Props) {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const send = async (file: File | undefined): Promise<ErrorBody | undefined> => {
    try {
      const picture = file === undefined ? undefined : await pictureFrom(file)
      const sent = await dispatch(setPortrait(picture === undefined ? {} : { picture }))
      return sent.ok ? undefined : sent.error
    } catch {
      // The browser could not decode the picture.
      return { code: 'picture/unreadable' }
    }
  }
  return (
    <PictureField
      label={t('profile.picture')}
      picture={<Portrait userId={me.id} size={56} />}
      chooseLabel={t('profile.choosePicture')}
      removeLabel={me.image === undefined ? undefined : t('profile.removePicture')}
      disabled={offline}
      onSend={send}
    />
  )
}

/** The typed text stays when the server refuses it. */
function StatusText({ me, offline }: Props) {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const [typed, setTyped] = useState<{ name?: string; status?: string; until?: number | 'never' }>({})
  const formMessage = useRemark((own: 'nameMissing') => t(`profile.${own}`))
  const [working, setWorking] = useState(false)
  const name = typed.name ?? me.name
  const status = typed.status ?? me.statusText ?? ''
  const until = typed.until === undefined ? me.statusUntil : typed.until === 'never' ? undefined : typed.until
  const changed = name !== me.name || status !== (me.statusText ?? '') || until !== me.statusUntil
  const save = async (): Promise<void> => {
    if (offline || !changed) return
    if (isBlank(name)) return formMessage.show('nameMissing')
    setWorking(true)
    const saved = await dispatch(changeProfile({ name: name.trim(), statusText: status.trim(), statusUntil: until }))
    setWorking(false)
    if (!saved.ok) return formMessage.refuse(saved.error)
    setTyped({})
    formMessage.clear()
    announce(t('profile.saved'))
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={t('profile.name')}
        value={name}
        maxLength={PERSON_NAME_LENGTH}
        autoComplete="name"
        error={formMessage.text}
        onChange={(value) => {
          setTyped({ ...typed, name: value })
          formMessage.clear()
        }}
      />
      <TextField
        label={t('profile.status')}
        hint={t('profile.statusHint')}
        value={status}
        maxLength={STATUS_LENGTH}
        autoComplete="off"
        onChange={(value) => setTyped({ ...typed, status: value })}
      />
      {isBlank(status) ? null : (
        <StatusEndField until={until} onChange={(end) => setTyped({ ...typed, until: end ?? 'never' })} />
      )}
      {changed ? (
        <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
          {t('profile.save')}
        </Button>
      ) : null}
    </form>
  )
}

/** For those who run the server of this account: with its secret everything there can be administered. */
function ApiSecret() {
  const isStored = useManage()?.source === 'secret'
  return isStored ? <Stored /> : <Form />
}

function Stored() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const remove = async (): Promise<void> => {
    setWorking(true)
    const removed = await dispatch(saveApiSecret({}))
    setWorking(false)
    if (!removed.ok) return formMessage.refuse(removed.error)
    announce(t('secret.removed'))
  }
  return (
    <SettingRow title={t('secret.title')} hint={formMessage.text ?? t('secret.stored')}>
      <Button working={working} onClick={() => void remove()}>
        {t('secret.remove')}
      </Button>
    </SettingRow>
  )
}

/** What was typed stays when the server refuses it, and leaves the window when it was stored. */
function Form() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const [typed, setTyped] = useState('')
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'missing') => t(`secret.${own}`))
  const save = async (): Promise<void> => {
    if (working) return
    const secret = typed.trim()
    if (secret === '') return formMessage.show('missing')
    setWorking(true)
    const saved = await dispatch(saveApiSecret({ secret }))
    setWorking(false)
    if (!saved.ok) return formMessage.refuse(saved.error)
    setTyped('')
    announce(t('secret.saved'))
  }
  return (
    <form
      noValidate
      className={styles['listForm']}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={t('secret.title')}
        hint={t('secret.hint')}
        type="password"
        autoComplete="off"
        mono
        value={typed}
        maxLength={500}
        error={formMessage.text}
        onChange={(value) => {
          setTyped(value)
          formMessage.clear()
        }}
      />
      <Button type="submit" working={working}>
        {t('secret.save')}
      </Button>
    </form>
  )
}

const STATUS_ENDS = ['never', 'half', 'hour', 'today', 'week', 'custom'] as const
type StatusEnd = (typeof STATUS_ENDS)[number]

const MINUTE_MS = 60_000

/** When a status with this end is over, by the local calendar; `undefined`: never, or at a moment that is chosen. */
export function endOfStatus(end: StatusEnd, now: number, firstWeekday: number): number | undefined {
  if (end === 'half') return now + 30 * MINUTE_MS
  if (end === 'hour') return now + 60 * MINUTE_MS
  if (end !== 'today' && end !== 'week') return undefined
  const midnight = new Date(now)
  midnight.setHours(24, 0, 0, 0)
  if (end === 'week') {
    const weekday = midnight.getDay() || 7
    midnight.setDate(midnight.getDate() + ((firstWeekday - weekday + 7) % 7))
  }
  return midnight.getTime()
}

type StatusEndProps = {
  /** Epoch milliseconds; absent: it has no end. */
  readonly until: number | undefined
  readonly onChange: (until: number | undefined) => void
}

/** When the status ends by itself. */
export function StatusEndField({ until, onChange }: StatusEndProps) {
  const t = useTexts('preferences')
  const formats = useFormats()
  const now = useMinute()
  const [asking, setAsking] = useState(false)
  const [first = 1] = formats.weekdays
  const choices = STATUS_ENDS.map((value) => ({ value: value as string, label: t(`profile.ends.${value}`) }))
  const chosen = until === undefined ? 'never' : 'until'
  const current =
    until === undefined ? [] : [{ value: 'until', label: t('profile.endsAt', { time: formats.dayAndTime(until) }) }]
  return (
    <div className={styles['row']}>
      <div className={styles['text']}>
        <div className={styles['name']}>{t('profile.end')}</div>
        <div className={styles['hint']}>{t('profile.endHint')}</div>
      </div>
      <Select
        label={t('profile.end')}
        value={chosen}
        choices={[...current, ...choices]}
        onChange={(value) => {
          if (value === 'custom') setAsking(true)
          else if (value !== 'until') onChange(endOfStatus(value as StatusEnd, Date.now(), first))
        }}
      />
      {asking ? (
        <MomentDialog
          title={t('profile.end')}
          confirm={t('profile.endChoose')}
          result={(time) => t('profile.endResult', { time })}
          start={until !== undefined && until > now ? until : undefined}
          onChoose={onChange}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}
