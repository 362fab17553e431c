import { useEffect, useId, useRef, useState, useMemo, type RefObject } from 'react'
import { encodeQR } from 'qr'
import type { SharedInvitation, SharingState, WaitingPerson } from '#shared/domain/sharing.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { selectChannel } from '../../../store/selectors.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { announceSharing, decideRequest, type Sharing } from './commands.ts'
import styles from './Sharing.module.css'

type SharedProps = {
  readonly sharing: Sharing
  readonly state: SharingState
  readonly onClose: () => void
  /** The invitation whose link is shown. */
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
  readonly onNew: () => void
  readonly onRevoke: (invitation: SharedInvitation) => void
  readonly onStop: () => void
}

const isOpen = ({ revoked, endsAt, used, uses }: SharedInvitation, now: number): boolean =>
  !revoked && endsAt > now && used < uses

/** The port is open: the invitation to pass on, who waits, every other invitation, and who is connected. */
export function SharedNow({ sharing, state, selected, onSelect, onNew, onRevoke, onStop, onClose }: SharedProps) {
  const t = useTexts('session')
  const errorText = useErrorText()
  const copy = useRef<HTMLButtonElement>(null)
  const now = useMinute()
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
          <Button icon="stop" variant="risky" onClick={onStop}>
            {t('share.stop')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('share.done')}
          </Button>
        </>
      }
    >
      <div className={styles['on']}>
        {shown?.link !== undefined ? (
          <InvitationWays name={shown.name} link={shown.link} code={shown.code} copy={copy} />
        ) : (
          <DialogText>{t(shown ? 'share.linkGone' : 'share.noneOpen')}</DialogText>
        )}
        <Waiting sharing={sharing} people={state.waiting} />
        <Invitations
          invitations={state.invitations}
          shown={shown?.id}
          now={now}
          onSelect={onSelect}
          onNew={onNew}
          onRevoke={onRevoke}
        />
        <Connected state={state} />
        <Visibility sharing={sharing} announced={state.announced} />
        <Refusal text={sharing.error && errorText(sharing.error)} />
      </div>
    </Dialog>
  )
}

/** Discovery on the network: a choice of its own beside sharing. */
function Visibility({
  sharing,
  announced,
}: {
  readonly sharing: Sharing
  readonly announced: SharingState['announced']
}) {
  const t = useTexts('session')
  const [labelId, hintId] = [useId(), useId()]
  return (
    <div className={styles['approve']}>
      <span>
        <span id={labelId} className={styles['strong']}>
          {t('share.visible')}
        </span>
        <span id={hintId} className={styles['more']}>
          {t('share.visibleHint')}
        </span>
        {announced === 'failed' ? (
          <span className={styles['same']} role="alert">
            <Icon name="alert-circle" size={14} />
            {t('share.visibleFailed')}
          </span>
        ) : null}
      </span>
      <Switch
        labelledBy={labelId}
        describedBy={hintId}
        on={announced !== 'no'}
        onChange={(on) => void sharing.run(announceSharing({ on }))}
      />
    </div>
  )
}

const MINUTE_MS = 60_000

/** The time, at most a minute late: an invitation ends while the dialog is open. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
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
              {person.nameTaken ? (
                <span className={styles['same']}>
                  <Icon name="alert-circle" size={14} />
                  {t('share.sameName')}
                </span>
              ) : null}
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
  readonly invitations: readonly SharedInvitation[]
  readonly shown: string | undefined
  readonly now: number
  readonly onSelect: (id: string) => void
  readonly onNew: () => void
  readonly onRevoke: (invitation: SharedInvitation) => void
}

function Invitations({ invitations, shown, now, onSelect, onNew, onRevoke }: InvitationsProps) {
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
      <div className={styles['scroll']}>
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
                <th scope="row">
                  {each.name}
                  <ChannelNames cids={each.channels} />
                </th>
                <td>{t(`share.roleNames.${each.role}`)}</td>
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
                        onClick={() => onRevoke(each)}
                      />
                    </>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The channels that guests join with an invitation. */
function ChannelNames({ cids }: { readonly cids: readonly string[] }) {
  const formats = useFormats()
  const names = useAppSelector((state) => formats.list(cids.map((cid) => `#${selectChannel(state, cid)?.name ?? cid}`)))
  return cids.length === 0 ? null : <span className={styles['more']}>{names}</span>
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

type WaysProps = {
  readonly name: string
  readonly link: string
  /** Absent on a network that has only IPv6. */
  readonly code: string | undefined
  readonly copy: RefObject<HTMLButtonElement | null>
}

/** How an invitation is passed on: as a picture, a link, or a code to read out. */
function InvitationWays({ name, link, code, copy }: WaysProps) {
  const t = useTexts('session')
  return (
    <div className={styles['ways']}>
      <figure className={styles['qr']}>
        <div data-theme="light">
          <QrPicture text={link} label={t('share.qr', { name })} />
        </div>
        <figcaption className={styles['caption']}>{t('share.scan')}</figcaption>
      </figure>
      <div className={styles['texts']}>
        <CopyField label={t('share.link', { name })} value={link} button={copy} />
        {code === undefined ? (
          <p className={styles['more']}>{t('share.noCode')}</p>
        ) : (
          <CopyField label={t('share.code')} value={code} />
        )}
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
