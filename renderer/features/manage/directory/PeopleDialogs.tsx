import { useState, type ReactNode } from 'react'
import { type UserId, asUserId } from '#shared/lib/brand.ts'
import type { RefusedPerson, Removal, IssuedToken } from '#shared/domain/manage/directory.ts'
import { type ErrorBody, ok, type Result } from '#shared/lib/app-error.ts'
import { useTexts, useErrorText, useFormats, useRemark } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection, useAppStore, useMe } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Radios, Select } from '../../../ui/Choice/Choice.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { useName, selectName } from '../../people/index.ts'
import { PeoplePicker } from '../../sidebar/index.ts'
import {
  changeRole,
  deactivatePeople,
  reactivatePeople,
  useRoleName,
  useRoles,
  deletePeople,
  issueToken,
  signOutPerson,
} from './commands.ts'
import styles from './Directory.module.css'
import { useManage } from '../state.ts'

type Props = { readonly userIds: readonly UserId[] }

/** One person by name, several by their number. */
function useWho(userIds: readonly UserId[]) {
  return { isOne: userIds.length === 1, count: userIds.length, person: useName(userIds[0] ?? '') }
}

type FrameProps = {
  readonly title: string
  readonly confirm: string
  readonly danger?: boolean
  readonly outcome: Pick<ReturnType<typeof useOutcome>, 'working' | 'error'>
  readonly onConfirm: () => void
  readonly children: ReactNode
}

/** A question about people, with the answer of the server where it refused. */
function PeopleDialog({ title, confirm, danger = false, outcome, onConfirm, children }: FrameProps) {
  const common = useTexts('common')
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Dialog
      width={460}
      title={title}
      onClose={close}
      onSubmit={() => offline || outcome.working || onConfirm()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            working={outcome.working}
            aria-disabled={offline || undefined}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {children}
        <Refusal text={outcome.error} />
      </div>
    </Dialog>
  )
}

/** They can no longer sign in; what they wrote stays, or is deleted. */
export function DeactivateDialog({ userIds }: Props) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const { isOne, count, person } = useWho(userIds)
  const [messages, setMessages] = useState<'stay' | 'delete'>('stay')
  const outcome = useOutcome(isOne ? t('deactivate.doneOne', { person }) : t('deactivate.done', { count }))
  return (
    <PeopleDialog
      title={isOne ? t('deactivate.titleOne', { person }) : t('deactivate.title', { count })}
      confirm={t('deactivate.confirm')}
      outcome={outcome}
      onConfirm={() =>
        void outcome.run(() => dispatch(deactivatePeople({ userIds, deleteMessages: messages === 'delete' })))
      }
    >
      <DialogText>{t(isOne ? 'deactivate.textOne' : 'deactivate.text')}</DialogText>
      <h3 className={styles['question']}>{t('messages.title')}</h3>
      <Radios
        label={t('messages.title')}
        value={messages}
        onChange={setMessages}
        choices={[
          { value: 'stay', label: t('messages.stay') },
          { value: 'delete', label: t('messages.soft'), hint: t('deactivate.restorable') },
        ]}
      />
    </PeopleDialog>
  )
}

export function ReactivateDialog({ userIds }: Props) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const { isOne, count, person } = useWho(userIds)
  const [restore, setRestore] = useState(false)
  const outcome = useOutcome(isOne ? t('reactivate.doneOne', { person }) : t('reactivate.done', { count }))
  return (
    <PeopleDialog
      title={isOne ? t('reactivate.titleOne', { person }) : t('reactivate.title', { count })}
      confirm={t('reactivate.confirm')}
      outcome={outcome}
      onConfirm={() => void outcome.run(() => dispatch(reactivatePeople({ userIds, restoreMessages: restore })))}
    >
      <DialogText>{t(isOne ? 'reactivate.textOne' : 'reactivate.text')}</DialogText>
      <label className={styles['check']}>
        <input type="checkbox" checked={restore} onChange={() => setRestore(!restore)} />
        {t('reactivate.restore')}
      </label>
    </PeopleDialog>
  )
}

export function ChangeRoleDialog({ userIds }: Props) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const { isOne, count, person } = useWho(userIds)
  const roles = useRoles()
  const roleName = useRoleName()
  const [role, setRole] = useState('user')
  const outcome = useOutcome(
    isOne ? t('role.doneOne', { person, role: roleName(role) }) : t('role.done', { count, role: roleName(role) }),
  )
  return (
    <PeopleDialog
      title={isOne ? t('role.titleOne', { person }) : t('role.title', { count })}
      confirm={t('role.confirm')}
      outcome={outcome}
      onConfirm={() => void outcome.run(() => dispatch(changeRole({ userIds, role })))}
    >
      <div className={styles['choiceRow']}>
        <span>{t('columns.role')}</span>
        <Select
          label={t('columns.role')}
          value={role}
          choices={roles.map((value) => ({ value, label: roleName(value) }))}
          onChange={setRole}
        />
      </div>
    </PeopleDialog>
  )
}

type Done = Result<{ readonly refused: readonly RefusedPerson[] }, ErrorBody>

/**
 * Runs what a dialog decides about several people. The dialog closes when it was done for everyone; otherwise it says for
 * whom it was not, and why.
 */
function useOutcome(done: string) {
  const t = useTexts('directory')
  const formats = useFormats()
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<string>()
  const run = async (work: () => Promise<Done>): Promise<void> => {
    setWorking(true)
    setError(undefined)
    const answer = await work()
    setWorking(false)
    if (!answer.ok) return setError(errorText(answer.error))
    const { refused } = answer.value
    const [first] = refused
    if (first === undefined) {
      announce(done)
      dispatch(dialogClosed())
      return
    }
    const names = formats.list(refused.slice(0, NAMED).map(({ userId }) => selectName(store.getState(), userId)))
    const params = { people: names, why: errorText(first) }
    setError(refused.length === 1 ? t('notDoneOne', params) : t('notDone', { count: refused.length, ...params }))
  }
  return { working, error, run }
}

const NAMED = 3

const MESSAGES = ['stay', 'soft', 'hard'] as const
type Messages = (typeof MESSAGES)[number]
type Owner = 'nobody' | 'me' | 'other'

/** What becomes of their profile, their messages, their conversations and their channels. */
export function DeleteDialog({ userIds }: { readonly userIds: readonly UserId[] }) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const me = useMe()?.id
  const { isOne, count, person } = useWho(userIds)
  const [user, setUser] = useState<Removal>('soft')
  const [messages, setMessages] = useState<Messages>('stay')
  const [conversations, setConversations] = useState<Messages>('stay')
  const [owner, setOwner] = useState<Owner>('nobody')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const outcome = useOutcome(isOne ? t('delete.doneOne', { person }) : t('delete.done', { count }))
  const newOwnerId =
    owner === 'me' ? me : owner === 'other' && chosen[0] !== undefined ? asUserId(chosen[0]) : undefined
  const [asked, setAsked] = useState(false)
  const hasNoOwner = owner === 'other' && newOwnerId === undefined
  const isForGood = user === 'hard' || messages === 'hard' || conversations === 'hard'
  const run = async () => {
    setAsked(false)
    const done = await dispatch(
      deletePeople({
        userIds,
        user,
        ...(messages === 'stay' ? {} : { messages }),
        ...(conversations === 'stay' ? {} : { conversations }),
        ...(newOwnerId === undefined ? {} : { newOwnerId }),
      }),
    )
    if (done.ok && done.value.running) announce(t('delete.running'))
    return done
  }
  const choices = MESSAGES.map((value) => ({ value, label: t(`messages.${value}`) }))
  return (
    <PeopleDialog
      danger
      title={isOne ? t('delete.titleOne', { person }) : t('delete.title', { count })}
      confirm={t('delete.confirm')}
      outcome={{ ...outcome, error: asked && hasNoOwner ? t('delete.ownerMissing') : outcome.error }}
      onConfirm={() => (hasNoOwner ? setAsked(true) : void outcome.run(run))}
    >
      <h3 className={styles['question']}>{t('delete.profile')}</h3>
      <Radios
        label={t('delete.profile')}
        value={user}
        onChange={setUser}
        choices={(['soft', 'pruning', 'hard'] as const).map((value) => ({
          value,
          label: t(`delete.profiles.${value}`),
          hint: t(`delete.profileHints.${value}`),
        }))}
      />
      <h3 className={styles['question']}>{t('messages.title')}</h3>
      <Radios label={t('messages.title')} value={messages} onChange={setMessages} choices={choices} />
      <h3 className={styles['question']}>{t('delete.conversations')}</h3>
      <Radios label={t('delete.conversations')} value={conversations} onChange={setConversations} choices={choices} />
      <div className={styles['choiceRow']}>
        <span>{t('delete.owner')}</span>
        <Select
          label={t('delete.owner')}
          value={owner}
          choices={(['nobody', 'me', 'other'] as const).map((value) => ({ value, label: t(`delete.owners.${value}`) }))}
          onChange={setOwner}
        />
      </div>
      {owner === 'other' ? (
        <PeoplePicker
          label={t('delete.newOwner')}
          chosen={chosen}
          max={1}
          leaveOut={new Set<string>(userIds)}
          onChange={setChosen}
        />
      ) : null}
      <DialogText>
        {t(isForGood ? 'delete.forGood' : user === 'soft' ? 'delete.restorable' : 'delete.pruned')}
      </DialogText>
    </PeopleDialog>
  )
}

type IssueTokenDialogProps = { readonly userId: UserId }

const DAY_MS = 86_400_000
const LIVES = { day: DAY_MS, month: 30 * DAY_MS, year: 365 * DAY_MS } as const
type Life = keyof typeof LIVES

/** Issues a token and shows it once: it is gone with the dialog. */
export function IssueTokenDialog({ userId }: IssueTokenDialogProps) {
  const t = useTexts('directory')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const person = useName(userId)
  const [life, setLife] = useState<Life>('month')
  const [issued, setIssued] = useState<IssuedToken>()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const close = (): void => void dispatch(dialogClosed())
  const issue = async (): Promise<void> => {
    if (offline || working) return
    setWorking(true)
    formMessage.clear()
    const made = await dispatch(issueToken({ userId, forMs: LIVES[life] }))
    setWorking(false)
    if (made.ok) setIssued(made.value)
    else formMessage.refuse(made.error)
  }
  if (issued !== undefined) return <Issued person={person} issued={issued} onClose={close} />
  return (
    <Dialog
      width={460}
      title={t('token.title', { person })}
      onClose={close}
      onSubmit={() => void issue()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {t('token.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{t('token.text', { person })}</DialogText>
        <div className={styles['choiceRow']}>
          <span>{t('token.life')}</span>
          <Select
            label={t('token.life')}
            value={life}
            choices={(Object.keys(LIVES) as Life[]).map((value) => ({ value, label: t(`token.lives.${value}`) }))}
            onChange={setLife}
          />
        </div>
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

type IssuedProps = { readonly person: string; readonly issued: IssuedToken; readonly onClose: () => void }

function Issued({ person, issued, onClose }: IssuedProps) {
  const t = useTexts('directory')
  const formats = useFormats()
  return (
    <Dialog
      width={460}
      title={t('token.issuedTitle', { person })}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <div className={styles['form']}>
        <DialogText>{t('token.once', { date: formats.numericDate(issued.expiresAt) })}</DialogText>
        <Copied label={t('token.token')} value={issued.token} />
        <Copied label={t('token.url')} value={issued.url} />
        <Copied label={t('token.apiKey')} value={issued.apiKey} />
      </div>
    </Dialog>
  )
}

function Copied({ label, value }: { readonly label: string; readonly value: string }) {
  const t = useTexts('directory')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value)
      announce(t('token.copied', { what: label }))
    } catch {
      // The browser does not allow it: the text can be selected.
      announce(t('token.notCopied'))
    }
  }
  return (
    <div className={styles['copied']}>
      <TextField label={label} mono readOnly value={value} onChange={() => undefined} />
      <Button icon="copy" aria-label={t('token.copyWhat', { what: label })} onClick={() => void copy()}>
        {t('token.copy')}
      </Button>
    </div>
  )
}

/** Every token issued before now is refused from now on. */
export function SignOutPersonDialog({ userId }: IssueTokenDialogProps) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const person = useName(userId)
  const isLocal = useManage()?.source === 'owner'
  const outcome = useOutcome(t('signOut.done', { person }))
  return (
    <PeopleDialog
      title={t('signOut.title', { person })}
      confirm={t('signOut.confirm')}
      outcome={outcome}
      onConfirm={() =>
        void outcome.run(async () => {
          const done = await dispatch(signOutPerson({ userId }))
          return done.ok ? ok({ refused: [] }) : done
        })
      }
    >
      <DialogText>{t(isLocal ? 'signOut.textLocal' : 'signOut.text', { person })}</DialogText>
    </PeopleDialog>
  )
}
