import { useId, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { encodeQR } from 'qr'
import {
  INVITED_ROLES,
  type InvitedRole,
  type SharedInvitation,
  type SharingState,
  type WaitingPerson,
} from '#shared/domain/sharing.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { focusOnce } from '../../../lib/page/focus.ts'
import { useAppDispatch, useHost } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { Spinner } from '../../../ui/View/Spinner.tsx'
import { decideRequest, invite, revokeInvitation, startSharing, stopSharing } from './commands.ts'
import { useSharing, type Sharing } from './use-sharing.ts'
import styles from './Sharing.module.css'

type Step = 'main' | 'new' | 'stop'

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
    return <NewInvitationDialog sharing={sharing} onClose={back} onMade={(id) => (setSelected(id), back())} />
  }
  if (step === 'stop') return <StopDialog sharing={sharing} state={state} onClose={back} />
  return (
    <OnDialog
      sharing={sharing}
      state={state}
      selected={selected}
      onSelect={setSelected}
      onStep={setStep}
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
          <Switch labelledBy={approveId} on={approve} wholeRow onChange={setApprove} />
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

type OnProps = Part & {
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
  readonly onStep: (step: Step) => void
}

const isOpen = ({ revoked, endsAt, used, uses }: SharedInvitation, now: number): boolean =>
  !revoked && endsAt > now && used < uses

function OnDialog({ sharing, state, selected, onSelect, onStep, onClose }: OnProps) {
  const t = useTexts('session')
  const errorText = useErrorText()
  const copy = useRef<HTMLButtonElement>(null)
  const [now] = useState(() => Date.now())
  const open = state.invitations.filter((each) => isOpen(each, now))
  const shown = open.find(({ id }) => id === selected) ?? open.find(({ link }) => link !== undefined) ?? open[0]
  return (
    <Dialog
      width={704}
      title={t('share.title')}
      onClose={onClose}
      initialFocus={copy}
      hint={t('share.on', { count: state.connected.length })}
      actions={
        <>
          <Button icon="stop" variant="danger" onClick={() => onStep('stop')}>
            {t('share.stop')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('share.done')}
          </Button>
        </>
      }
    >
      <div className={styles['on']}>
        {shown?.link !== undefined && shown.code !== undefined ? (
          <Ways name={shown.name} link={shown.link} code={shown.code} copy={copy} />
        ) : (
          <DialogText>{t(shown ? 'share.linkGone' : 'share.noneOpen')}</DialogText>
        )}
        <Waiting sharing={sharing} people={state.waiting} />
        <Invitations
          sharing={sharing}
          invitations={state.invitations}
          shown={shown?.id}
          now={now}
          onSelect={onSelect}
          onNew={() => onStep('new')}
        />
        <Connected state={state} />
        <Refusal text={sharing.error && errorText(sharing.error)} />
      </div>
    </Dialog>
  )
}

type WaysProps = {
  readonly name: string
  readonly link: string
  readonly code: string
  readonly copy: RefObject<HTMLButtonElement | null>
}

function Ways({ name, link, code, copy }: WaysProps) {
  const t = useTexts('session')
  return (
    <div className={styles['ways']}>
      <figure className={styles['qr']} data-theme="light">
        <QrPicture text={link} label={t('share.qr', { name })} />
        <figcaption className={styles['caption']}>{t('share.scan')}</figcaption>
      </figure>
      <div className={styles['texts']}>
        <CopyField label={t('share.link', { name })} value={link} button={copy} />
        <CopyField label={t('share.code')} value={code} />
      </div>
    </div>
  )
}

/** Quiet squares around the code, without which scanners do not find it. */
const QUIET = 2

/** Dark on light in every theme: scanners expect it. */
function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const { side, path } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { border: QUIET })
    const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { side: rows.length, path: squares.join('') }
  }, [text])
  return (
    <svg viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="currentColor" />
    </svg>
  )
}

const COPIED_MS = 2_000

type CopyProps = {
  readonly label: string
  readonly value: string
  readonly button?: RefObject<HTMLButtonElement | null>
}

function CopyField({ label, value, button }: CopyProps) {
  const t = useTexts('session')
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      announce(t('share.copied'))
      setTimeout(() => setCopied(false), COPIED_MS)
    } catch {
      // The browser does not allow it: the text can be selected.
      announce(t('share.notCopied'))
    }
  }
  return (
    <div className={styles['copy']}>
      <TextField label={label} mono readOnly value={value} onChange={() => undefined} />
      <Button
        icon={copied ? 'check' : 'copy'}
        ref={button}
        aria-label={`${t('share.copy')}: ${label}`}
        onClick={() => void copy()}
      >
        {t(copied ? 'share.copied' : 'share.copy')}
      </Button>
    </div>
  )
}

function Waiting({ sharing, people }: { readonly sharing: Sharing; readonly people: readonly WaitingPerson[] }) {
  const t = useTexts('session')
  const formats = useFormats()
  const headId = useId()
  if (people.length === 0) return null
  const decide = async ({ id, name }: WaitingPerson, accept: boolean): Promise<void> => {
    const done = await sharing.run(decideRequest({ id, accept }))
    if (done.ok) announce(t(accept ? 'share.approved' : 'share.declined', { name }))
  }
  return (
    <section className={styles['waiting']} aria-labelledby={headId}>
      <h3 id={headId}>{t('share.waiting', { count: people.length })}</h3>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <span className={styles['grow']}>
              <span className={styles['strong']}>{person.name}</span>
              <span className={styles['more']}>
                {t('share.from', {
                  invitation: person.invitation,
                  role: t(`share.roles.${person.role}`),
                  address: person.address,
                  time: formats.time(person.at),
                })}
              </span>
            </span>
            <Button
              variant="quiet"
              size="small"
              aria-label={t('share.declineWho', { name: person.name })}
              onClick={() => void decide(person, false)}
            >
              {t('share.decline')}
            </Button>
            <Button
              size="small"
              icon="check"
              aria-label={t('share.acceptWho', { name: person.name })}
              onClick={() => void decide(person, true)}
            >
              {t('share.accept')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

type InvitationsProps = {
  readonly sharing: Sharing
  readonly invitations: readonly SharedInvitation[]
  readonly shown: string | undefined
  readonly now: number
  readonly onSelect: (id: string) => void
  readonly onNew: () => void
}

function Invitations({ sharing, invitations, shown, now, onSelect, onNew }: InvitationsProps) {
  const t = useTexts('session')
  const formats = useFormats()
  const headId = useId()
  const endOf = (each: SharedInvitation): string =>
    each.revoked
      ? t('share.revoked')
      : each.endsAt <= now
        ? t('share.ended')
        : each.used >= each.uses
          ? t('share.usedUp')
          : formats.dayAndTime(each.endsAt)
  return (
    <section aria-labelledby={headId}>
      <div className={styles['head']}>
        <h3 id={headId}>{t('share.invitations')}</h3>
        <Button size="small" icon="plus" onClick={onNew}>
          {t('share.new')}
        </Button>
      </div>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{t('share.columns.name')}</th>
            <th scope="col">{t('share.columns.role')}</th>
            <th scope="col">{t('share.columns.used')}</th>
            <th scope="col">{t('share.columns.ends')}</th>
            <th scope="col">
              <span className="sr-only">{t('share.columns.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invitations.map((each) => (
            <tr key={each.id} data-shown={each.id === shown || undefined} data-over={!isOpen(each, now) || undefined}>
              <th scope="row">{each.name}</th>
              <td>{t(`share.roles.${each.role}`)}</td>
              <td>{t('share.usedOf', { used: each.used, count: each.uses })}</td>
              <td>{endOf(each)}</td>
              <td className={styles['actions']}>
                {isOpen(each, now) ? (
                  <>
                    {each.link === undefined ? null : (
                      <IconButton
                        icon="link"
                        label={t('share.show', { name: each.name })}
                        aria-pressed={each.id === shown}
                        onClick={() => onSelect(each.id)}
                      />
                    )}
                    <IconButton
                      icon="trash"
                      label={t('share.revoke', { name: each.name })}
                      onClick={() => void sharing.run(revokeInvitation({ id: each.id }))}
                    />
                  </>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Connected({ state: { connected } }: { readonly state: SharingState }) {
  const t = useTexts('session')
  const formats = useFormats()
  const headId = useId()
  if (connected.length === 0) return null
  return (
    <section aria-labelledby={headId}>
      <div className={styles['head']}>
        <h3 id={headId}>{t('share.connected', { count: connected.length })}</h3>
      </div>
      <ul className={styles['people']}>
        {connected.map(({ userId, name, address, since }) => (
          <li key={`${userId} ${since}`}>
            <span className={styles['strong']}>{name}</span>
            <span className={styles['more']}>{t('share.since', { address, time: formats.time(since) })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const HOUR_MS = 3_600_000
const LIVES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const
type Life = keyof typeof LIVES
const USES = ['1', '5', '10', '50'] as const

type NewProps = { readonly sharing: Sharing; readonly onClose: () => void; readonly onMade: (id: string) => void }

function NewInvitationDialog({ sharing, onClose, onMade }: NewProps) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const [name, setName] = useState('')
  const [missing, setMissing] = useState(false)
  const [role, setRole] = useState<InvitedRole>('user')
  const [uses, setUses] = useState<(typeof USES)[number]>('10')
  const [life, setLife] = useState<Life>('day')
  const submit = async (): Promise<void> => {
    if (name.trim() === '') return setMissing(true)
    const before = new Set(sharing.state?.invitations.map(({ id }) => id))
    const made = await sharing.run(
      invite({ name: name.trim(), role, uses: Number(uses), endsAt: Date.now() + LIVES[life] }),
    )
    if (made.ok) onMade(made.value.invitations.find(({ id }) => !before.has(id))?.id ?? '')
  }
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
          value={name}
          maxLength={100}
          ref={focusOnce}
          autoComplete="off"
          hint={t('share.nameHint')}
          error={missing ? t('share.nameMissing') : undefined}
          onChange={(text) => (setName(text), setMissing(false))}
        />
        <Segments
          label={t('share.columns.role')}
          block
          value={role}
          onChange={setRole}
          choices={INVITED_ROLES.map((value) => ({ value, label: t(`share.roles.${value}`) }))}
        />
        <p className={styles['more']}>{t(`share.rolesText.${role}`)}</p>
        <ChoiceRow label={t('share.people')}>
          <Select
            label={t('share.people')}
            value={uses}
            choices={USES.map((value) => ({ value, label: t('share.upTo', { count: Number(value) }) }))}
            onChange={setUses}
          />
        </ChoiceRow>
        <ChoiceRow label={t('share.ends')}>
          <Select
            label={t('share.ends')}
            value={life}
            choices={(Object.keys(LIVES) as Life[]).map((value) => ({ value, label: t(`share.lives.${value}`) }))}
            onChange={setLife}
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

function StopDialog({ sharing, state, onClose }: Part) {
  const t = useTexts('session')
  const common = useTexts('common')
  const cancel = useRef<HTMLButtonElement>(null)
  const stop = async (): Promise<void> => {
    const done = await sharing.run(stopSharing(undefined))
    if (done.ok) announce(t('share.stopped'))
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
      <DialogText>{t('share.stopText', { count: state.connected.length })}</DialogText>
    </Dialog>
  )
}
