import { useId, useRef, useState, type ReactNode, type Ref } from 'react'
import { createSelector } from '@reduxjs/toolkit'
import { type SharedInvitation, type SharingState, INVITED_ROLES, type InvitedRole } from '#shared/domain/sharing.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { useErrorText, useTexts, useFormats } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { focusOnce } from '../../../lib/page/focus.ts'
import { useAppDispatch, useHost, useAppSelector } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { Spinner } from '../../../ui/View/Empty.tsx'
import type { AppState } from '../../../store/store.ts'
import { Segments, Select } from '../../../ui/Choice/Choice.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { revokeInvitation, startSharing, stopSharing, useSharing, type Sharing, invite } from './commands.ts'
import { SharedNow } from './SharedNow.tsx'
import styles from './Sharing.module.css'

type Step = 'main' | 'new' | 'stop' | { readonly revoke: SharedInvitation }

/** Share on this network: off with three sentences, or on with the invitation, who waits, and every other invitation. */
export function ShareDialog() {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const isAllowed = useHost().managed?.values.AllowLanExposure !== false
  const sharing = useSharing(isAllowed)
  const [step, setStep] = useState<Step>('main')
  const [selected, setSelected] = useState<string>()
  const close = (): void => void dispatch(dialogClosed())
  const { state, error } = sharing
  if (!isAllowed || !state) {
    const text = isAllowed ? undefined : errorText({ code: 'policy/sharing' })
    const problem = text ?? (error && errorText(error))
    return (
      <Dialog
        width={480}
        title={t('share.title')}
        onClose={close}
        actions={<Button onClick={close}>{common('close')}</Button>}
      >
        {problem === undefined ? <Spinner size={18} /> : <Line icon="lock">{problem}</Line>}
      </Dialog>
    )
  }
  if (!state.wanted || !state.on) return <StartDialog sharing={sharing} state={state} onClose={close} />
  const back = (): void => setStep('main')
  if (step === 'new') {
    return <NewInvitation sharing={sharing} onClose={back} onMade={(id) => (setSelected(id), back())} />
  }
  if (typeof step === 'object') return <RevokeDialog sharing={sharing} invitation={step.revoke} onClose={back} />
  if (step === 'stop') return <StopDialog sharing={sharing} state={state} onClose={back} />
  return (
    <SharedNow
      sharing={sharing}
      state={state}
      selected={selected}
      onSelect={setSelected}
      onNew={() => setStep('new')}
      onRevoke={(invitation) => setStep({ revoke: invitation })}
      onStop={() => setStep('stop')}
      onClose={close}
    />
  )
}

function Line({ icon, children }: { readonly icon: IconName; readonly children: string }) {
  return (
    <p className={styles['line']}>
      <Icon name={icon} size={18} />
      {children}
    </p>
  )
}

type Part = { readonly sharing: Sharing; readonly state: SharingState; readonly onClose: () => void }

/** Off, or wanted but not possible now. */
function StartDialog({ sharing, state, onClose }: Part) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const approveId = useId()
  const [approve, setApprove] = useState(state.approve)
  const { working, error } = sharing
  const start = (port?: number): void =>
    void sharing.run(startSharing({ approve, port, invitation: t('share.firstName') }))
  return (
    <Dialog
      width={480}
      title={t('share.title')}
      onClose={onClose}
      onSubmit={() => start()}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          {state.wanted ? (
            <Button onClick={() => void sharing.run(stopSharing(undefined))}>{t('share.stop')}</Button>
          ) : null}
          <Button type="submit" variant="primary" working={working} ref={focusOnce}>
            {t(state.wanted ? 'share.again' : 'share.start')}
          </Button>
        </>
      }
    >
      <div className={styles['off']}>
        <Line icon="users">{t('share.who')}</Line>
        <Line icon="lock">{t('share.safe')}</Line>
        <Line icon="laptop">{t('share.while')}</Line>
        <div className={styles['approve']}>
          <span>
            <span id={approveId} className={styles['strong']}>
              {t('share.approve')}
            </span>
            <span className={styles['more']}>{t('share.approveHint')}</span>
          </span>
          <Switch labelledBy={approveId} on={approve} onChange={setApprove} />
        </div>
        {state.problem === undefined ? null : (
          <div className={styles['problem']} role="alert">
            <Icon name="alert-circle" size={16} />
            <span>
              <span className={styles['strong']}>
                {t(`share.problem.${state.problem}.title`, { port: String(state.port) })}
              </span>
              <span className={styles['more']}>{t(`share.problem.${state.problem}.text`)}</span>
            </span>
            {state.problem === 'port-taken' || state.problem === 'port-forbidden' ? (
              <Button size="small" onClick={() => start(state.port + 1)}>
                {t('share.usePort', { port: String(state.port + 1) })}
              </Button>
            ) : null}
          </div>
        )}
        <Refusal text={error && errorText(error)} />
      </div>
    </Dialog>
  )
}

function StopDialog({ sharing, state, onClose }: Part) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const cancel = useRef<HTMLButtonElement>(null)
  const stop = async (): Promise<void> => {
    const done = await sharing.run(stopSharing(undefined))
    if (!done.ok) return
    announce(t('share.stopped'))
    onClose()
  }
  return (
    <Dialog
      alert
      width={480}
      title={t('share.stopTitle')}
      onClose={onClose}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="danger" working={sharing.working} onClick={() => void stop()}>
            {t('share.stop')}
          </Button>
        </>
      }
    >
      <DialogText>
        {state.connected.length === 0 ? t('share.stopNobody') : t('share.stopText', { count: state.connected.length })}
      </DialogText>
      <Refusal text={sharing.error && errorText(sharing.error)} />
    </Dialog>
  )
}

type RevokeProps = {
  readonly sharing: Sharing
  readonly invitation: SharedInvitation
  readonly onClose: () => void
}

/** It cannot be undone: the link may have been passed on already. */
function RevokeDialog({ sharing, invitation: { id, name }, onClose }: RevokeProps) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const cancel = useRef<HTMLButtonElement>(null)
  const revoke = async (): Promise<void> => {
    const done = await sharing.run(revokeInvitation({ id }))
    if (!done.ok) return
    announce(t('share.revoked'))
    onClose()
  }
  return (
    <Dialog
      alert
      width={480}
      title={t('share.revokeTitle', { name })}
      onClose={onClose}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="danger" working={sharing.working} onClick={() => void revoke()}>
            {t('share.revokeNow')}
          </Button>
        </>
      }
    >
      <DialogText>{t('share.revokeText')}</DialogText>
      <Refusal text={sharing.error && errorText(sharing.error)} />
    </Dialog>
  )
}

const HOUR_MS = 3_600_000
const LIVES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const
type Life = keyof typeof LIVES
const USES = ['1', '5', '10', '50'] as const

type NewProps = { readonly sharing: Sharing; readonly onClose: () => void; readonly onMade: (id: string) => void }

type Typed = {
  readonly name: string
  readonly role: InvitedRole
  /** Cids. */
  readonly channels: readonly string[]
  readonly uses: (typeof USES)[number]
  readonly life: Life
}

const BEGIN: Typed = { name: '', role: 'user', channels: [], uses: '10', life: 'day' }

/** What is typed, what is missing, and creating it. */
function useNewInvitation({ sharing, onMade }: Pick<NewProps, 'sharing' | 'onMade'>) {
  const [typed, setTyped] = useState(BEGIN)
  const [missing, setMissing] = useState<'name' | 'channels'>()
  const channelList = useRef<HTMLFieldSetElement>(null)
  const change = (changes: Partial<Typed>): void => {
    setTyped({ ...typed, ...changes })
    setMissing(undefined)
  }
  const submit = async (): Promise<void> => {
    const { name, role, channels, uses, life } = typed
    if (name.trim() === '') return setMissing('name')
    if (role === 'guest' && channels.length === 0) {
      setMissing('channels')
      return channelList.current?.querySelector('input')?.focus()
    }
    const before = new Set(sharing.state?.invitations.map(({ id }) => id))
    const made = await sharing.run(
      invite({
        name: name.trim(),
        role,
        channels: role === 'guest' ? [...channels] : [],
        uses: Number(uses),
        endsAt: Date.now() + LIVES[life],
      }),
    )
    if (made.ok) onMade(made.value.invitations.find(({ id }) => !before.has(id))?.id ?? '')
  }
  return { typed, missing, channelList, change, submit }
}

/** A name, a role, how many people and until when; for guests also which channels they see. */
function NewInvitation({ sharing, onClose, onMade }: NewProps) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const { typed, missing, channelList, change, submit } = useNewInvitation({ sharing, onMade })
  return (
    <Dialog
      width={480}
      title={t('share.newTitle')}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={sharing.working}>
            {t('share.create')}
          </Button>
        </>
      }
    >
      <div className={styles['off']}>
        <TextField
          label={t('share.name')}
          value={typed.name}
          maxLength={100}
          ref={focusOnce}
          autoComplete="off"
          hint={t('share.nameHint')}
          error={missing === 'name' ? t('share.nameMissing') : undefined}
          onChange={(name) => change({ name })}
        />
        <span className={styles['strong']} aria-hidden="true">
          {t('share.columns.role')}
        </span>
        <Segments
          label={t('share.columns.role')}
          block
          value={typed.role}
          onChange={(role) => change({ role })}
          choices={INVITED_ROLES.map((value) => ({ value, label: t(`share.roleNames.${value}`) }))}
        />
        <p className={styles['more']}>{t(`share.rolesText.${typed.role}`)}</p>
        {typed.role === 'guest' ? (
          <ChannelChoice
            ref={channelList}
            chosen={typed.channels}
            error={missing === 'channels' ? t('share.channelsMissing') : undefined}
            onChange={(channels) => change({ channels })}
          />
        ) : null}
        <ChoiceRow label={t('share.people')}>
          <Select
            label={t('share.people')}
            value={typed.uses}
            choices={USES.map((value) => ({ value, label: t('share.upTo', { count: Number(value) }) }))}
            onChange={(uses) => change({ uses })}
          />
        </ChoiceRow>
        <ChoiceRow label={t('share.ends')}>
          <Select
            label={t('share.ends')}
            value={typed.life}
            choices={(Object.keys(LIVES) as Life[]).map((value) => ({ value, label: t(`share.lives.${value}`) }))}
            onChange={(life) => change({ life })}
          />
        </ChoiceRow>
        <Refusal text={sharing.error && errorText(sharing.error)} />
      </div>
    </Dialog>
  )
}

function ChoiceRow({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles['choiceRow']}>
      <span>{label}</span>
      {children}
    </div>
  )
}

type ChannelChoiceProps = {
  readonly ref: Ref<HTMLFieldSetElement>
  /** Cids. */
  readonly chosen: readonly string[]
  readonly error: string | undefined
  readonly onChange: (chosen: readonly string[]) => void
}

/** Which channels guests see. None is chosen for the owner: what outsiders read is decided, not overlooked. */
function ChannelChoice({ ref, chosen, error, onChange }: ChannelChoiceProps) {
  const t = useTexts('session')
  const errorId = useId()
  const { compare } = useFormats()
  const channels = useAppSelector(selectRooms).toSorted((a, b) => compare(a.name, b.name))
  const toggle = (cid: string): void =>
    onChange(chosen.includes(cid) ? chosen.filter((each) => each !== cid) : [...chosen, cid])
  return (
    <fieldset
      ref={ref}
      className={styles['channels']}
      aria-describedby={error === undefined ? undefined : errorId}
      data-invalid={error !== undefined || undefined}
    >
      <legend className={styles['strong']}>{t('share.channels')}</legend>
      <div className={styles['channelList']}>
        {channels.map(({ cid, name, isPrivate }) => (
          <label key={cid} className={styles['check']}>
            <input type="checkbox" checked={chosen.includes(cid)} onChange={() => toggle(cid)} />
            <Icon name={isPrivate ? 'lock' : 'hash'} size={14} />
            <span>{name}</span>
          </label>
        ))}
      </div>
      {channels.length === 0 ? <p className={styles['more']}>{t('share.noChannels')}</p> : null}
      {error === undefined ? null : (
        <p id={errorId} className={styles['wrong']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** The channels of the workspace that the owner sees. */
const selectRooms = createSelector([(state: AppState) => state.entities.channels], (channels): readonly Channel[] =>
  Object.values(channels).filter(({ type }) => type === 'team'),
)
