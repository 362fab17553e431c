import { useEffect, useMemo, useRef, useState } from 'react'
import type { DirectoryPerson, PersonDetails, PersonDevice } from '#shared/domain/manage/directory.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { SavedFile } from '#shared/domain/export.ts'
import { useErrorText, useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { itemsIn } from '../../../lib/text/lists.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useConnection, useMe, useUser } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { Empty, Skeleton } from '../../../ui/View/Empty.tsx'
import type { Dialog as DialogKind } from '../../../store/window/kinds.ts'
import { dialogOpened, routeOpened, searchOpened } from '../../../store/window/ui.ts'
import { Portrait, presenceOf } from '../../people/index.ts'
import { useLoaded } from '../loading.ts'
import { useTopic, useMayManage } from '../state.ts'
import { changePerson, loadPerson, useRoleName, exportPerson, restorePeople, showExported } from './commands.ts'
import { EditableText, FieldsEditor } from './Fields.tsx'
import { Language } from './columns.tsx'
import styles from './Directory.module.css'

type Props = {
  readonly userId: UserId
  readonly roles: readonly string[]
  /** Tokens are issued, and deleted people listed, only by a workspace of this device. */
  readonly isLocal: boolean
  /** Another page is about to be opened from here. */
  readonly onLeave: () => void
  readonly onClose: () => void
}

/** Everything the server has about one person, and what can be done. */
export function PersonPanel({ userId, roles, isLocal, onLeave, onClose }: Props) {
  const t = useTexts('directory')
  const errorText = useErrorText()
  // Also asked for again when the connection is back.
  const version = `${useTopic('people')} ${useConnection().offline}`
  const { value, error, asking, again } = useLoaded(
    useMemo(() => loadPerson({ userId }), [userId]),
    version,
  )
  const details = error?.code === 'people/gone' ? undefined : value
  const heading = useRef<HTMLHeadingElement>(null)
  const breakpoint = useBreakpoint()
  const covers = breakpoint === 'small' || breakpoint === 'narrow'
  useEffect(() => {
    // The list is gone from under the focus.
    if (covers) heading.current?.focus()
  }, [covers])
  return (
    <section className={styles['panel']} aria-label={t('person')}>
      <header className={styles['panelHead']}>
        <h2 ref={heading} tabIndex={-1}>
          {t('person')}
        </h2>
        <IconButton icon="x" label={t('close')} onClick={onClose} />
      </header>
      {details !== undefined ? (
        <Details details={details} roles={roles} isLocal={isLocal} onLeave={onLeave} />
      ) : error === undefined ? (
        <div className={styles['waiting']} role="status" aria-label={t('loading')}>
          <Skeleton width="60%" height={18} />
          <Skeleton width="80%" height={14} />
          <Skeleton width="70%" height={14} />
        </div>
      ) : (
        <Empty
          scene="lines"
          title={t('personFailed')}
          action={
            <Button working={asking} onClick={again}>
              {t('again')}
            </Button>
          }
        >
          {errorText(error)}
        </Empty>
      )}
    </section>
  )
}

type DetailsProps = Pick<Props, 'roles' | 'isLocal' | 'onLeave'> & { readonly details: PersonDetails }

function Details({ details: { person, devices }, roles, isLocal, onLeave }: DetailsProps) {
  const t = useTexts('directory')
  return (
    <div className={styles['panelBody']}>
      <Head person={person} />
      <Facts person={person} roles={roles} />
      <div className={styles['part']}>
        <h3>{t('devices.title')}</h3>
        {devices.length === 0 ? <p className={styles['hint']}>{t('devices.none')}</p> : null}
        <ul>
          {devices.map((device, index) => (
            <Device key={index} device={device} />
          ))}
        </ul>
      </div>
      {person.deletedAt === undefined ? <FieldsEditor person={person} /> : null}
      <Doors person={person} isLocal={isLocal} onLeave={onLeave} />
    </div>
  )
}

function Head({ person }: { readonly person: DirectoryPerson }) {
  const t = useTexts('directory')
  const formats = useFormats()
  const live = useUser(person.id)
  const now = useMinute()
  const online = live?.online ?? person.online
  const { statusText, statusUntil } = person
  const isOver = statusUntil !== undefined && statusUntil <= now
  const problem =
    person.deletedAt !== undefined
      ? t('deletedOn', { date: formats.shortDate(person.deletedAt) })
      : person.deactivatedAt !== undefined
        ? t('deactivatedOn', { date: formats.shortDate(person.deactivatedAt) })
        : person.banned
          ? t('banned')
          : undefined
  return (
    <div className={styles['who']}>
      <Portrait userId={person.id} size={56} presence={presenceOf({ online, away: live?.away, bot: person.bot })} />
      <EditableName person={person} />
      {statusText === undefined || isOver ? null : (
        <p className={styles['status']}>
          <bdi>{statusText}</bdi>
          {statusUntil === undefined ? null : <>, {t('until', { time: formats.dayAndTime(statusUntil) })}</>}
        </p>
      )}
      <code className={styles['id']}>{person.id}</code>
      {problem === undefined ? null : <Tag tone="warning">{problem}</Tag>}
    </div>
  )
}

function EditableName({ person }: { readonly person: DirectoryPerson }) {
  const t = useTexts('directory')
  const change = useChange(person)
  if (person.deletedAt !== undefined) return <bdi className={styles['name']}>{person.name}</bdi>
  return (
    <EditableText
      label={t('fields.name')}
      edit={t('fields.changeName')}
      value={person.name}
      maxLength={100}
      required
      onSave={(name) => change({ name })}
    >
      <bdi className={styles['name']}>{person.name}</bdi>
    </EditableText>
  )
}

type Change = Omit<Parameters<typeof changePerson>[0], 'userId'>

/** Changes the person; answers why not. */
function useChange({ id: userId }: DirectoryPerson): (change: Change) => Promise<ErrorBody | undefined> {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  return async (change) => {
    const done = await dispatch(changePerson({ userId, ...change }))
    if (!done.ok) return done.error
    announce(t('saved'))
    return undefined
  }
}

type FactsProps = { readonly person: DirectoryPerson; readonly roles: readonly string[] }

function Facts({ person, roles }: FactsProps) {
  const t = useTexts('directory')
  const formats = useFormats()
  const now = useMinute()
  const roleName = useRoleName()
  const change = useChange(person)
  const formMessage = useRemark()
  const isMe = useMe()?.id === person.id
  const { role, teams, language, createdAt, lastActiveAt, deletedAt } = person
  const isFixed = isMe || deletedAt !== undefined
  const saveRole = async (next: string): Promise<void> => {
    formMessage.clear()
    const refused = await change({ role: next })
    if (refused !== undefined) formMessage.refuse(refused)
  }
  return (
    <dl className={styles['facts']}>
      <dt>{t('columns.role')}</dt>
      <dd>
        {isFixed ? (
          <bdi>{roleName(role)}</bdi>
        ) : (
          <Select
            label={t('columns.role')}
            value={role}
            choices={[...new Set([...roles, role])].map((value) => ({ value, label: roleName(value) }))}
            onChange={(next) => void saveRole(next)}
          />
        )}
        <Refusal text={formMessage.text} />
      </dd>
      <dt>{t('columns.teams')}</dt>
      <dd>
        <EditableText
          label={t('fields.teams')}
          edit={t('fields.changeTeams')}
          hint={t('fields.teamsHint')}
          value={teams.join(', ')}
          maxLength={2_000}
          onSave={(text) => change({ teams: itemsIn(text) })}
        >
          <span className={styles['tags']}>
            {teams.length === 0
              ? t('fields.noTeams')
              : teams.map((team) => (
                  <Tag key={team}>
                    <bdi>{team}</bdi>
                  </Tag>
                ))}
          </span>
        </EditableText>
      </dd>
      <dt>{t('columns.language')}</dt>
      <dd>
        <EditableText
          label={t('fields.language')}
          edit={t('fields.changeLanguage')}
          hint={t('fields.languageHint')}
          value={language ?? ''}
          maxLength={16}
          onSave={(text) => change({ language: text })}
        >
          {language === undefined ? t('fields.noLanguage') : <Language code={language} />}
        </EditableText>
      </dd>
      <dt>{t('columns.last_active')}</dt>
      <dd>{lastActiveAt === undefined ? t('never') : formats.ago(lastActiveAt, now)}</dd>
      <dt>{t('columns.created_at')}</dt>
      <dd>{createdAt === undefined ? t('unknown') : formats.fullDate(createdAt)}</dd>
    </dl>
  )
}

const PROVIDERS = { firebase: 'Android', apn: 'iOS', huawei: 'Huawei', xiaomi: 'Xiaomi' } as const

function Device({ device: { provider, addedAt, disabled } }: { readonly device: PersonDevice }) {
  const t = useTexts('directory')
  const formats = useFormats()
  const now = useMinute()
  const name = provider in PROVIDERS ? PROVIDERS[provider as keyof typeof PROVIDERS] : provider
  return (
    <li className={styles['device']}>
      <Icon name={disabled === undefined ? 'bell' : 'bell-off'} size={16} />
      <bdi className={styles['deviceName']}>{name}</bdi>
      {disabled !== undefined ? (
        <span className={styles['off']}>
          {disabled.reason === '' ? t('devices.off') : t('devices.offBecause', { reason: disabled.reason })}
        </span>
      ) : addedAt === undefined ? null : (
        <span className={styles['hint']}>{t('devices.added', { date: formats.date(addedAt, now) })}</span>
      )}
    </li>
  )
}

type DoorsProps = {
  readonly person: DirectoryPerson
  readonly isLocal: boolean
  /** Another page is about to be opened: going back returns to the person. */
  readonly onLeave: () => void
}

/** What can be done; what cannot be undone comes last, apart. */
function Doors({ person, isLocal, onLeave }: DoorsProps) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const isMe = useMe()?.id === person.id
  const { id, deactivatedAt, deletedAt } = person
  const open = (dialog: DialogKind) => (): void => void dispatch(dialogOpened(dialog))
  const restore = async (): Promise<void> => {
    const done = await dispatch(restorePeople({ userIds: [id] }))
    if (done.ok) announce(t('delete.restored', { person: person.name }))
  }
  if (deletedAt !== undefined) {
    return (
      <div className={styles['part']}>
        <Door icon="undo" text={t('delete.restore')} onPress={() => void restore()} />
      </div>
    )
  }
  return (
    <>
      <Links userId={id} onLeave={onLeave} />
      <div className={styles['part']}>
        {isLocal && deactivatedAt === undefined ? (
          <Door icon="key" text={t('token.open')} onPress={open({ kind: 'issue-token', userId: id })} />
        ) : null}
        <Door icon="logout" text={t('signOut.open')} onPress={open({ kind: 'sign-out-person', userId: id })} />
        <ExportDoor person={person} />
      </div>
      {isMe ? null : (
        <div className={styles['part']}>
          {deactivatedAt === undefined ? (
            <Door
              icon="user-x"
              text={t('deactivate.open')}
              end={t('deactivate.undo')}
              onPress={open({ kind: 'deactivate-people', userIds: [id] })}
            />
          ) : (
            <Door
              icon="user-plus"
              text={t('reactivate.open')}
              onPress={open({ kind: 'reactivate-people', userIds: [id] })}
            />
          )}
          <Door
            danger
            icon="trash"
            text={t('delete.person')}
            onPress={open({ kind: 'delete-people', userIds: [id] })}
          />
        </div>
      )}
    </>
  )
}

/** Other pages about the person. */
function Links({ userId, onLeave }: Pick<DoorsProps, 'onLeave'> & { readonly userId: UserId }) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const hasHistory = useMayManage('history')
  const mayReview = useMayManage('review')
  // Whose rules are known: a server of our own kind, which is also the one that keeps a history.
  const mayCheck = useMayManage('roles') && hasHistory
  const follow = (open: Parameters<typeof dispatch>[0]) => (): void => {
    onLeave()
    dispatch(open)
  }
  const toPage = (page: 'history' | 'bans' | 'roles') => follow(routeOpened({ view: 'manage', page, id: userId }))
  return (
    <div className={styles['part']}>
      {hasHistory ? <Door icon="history" text={t('doors.history')} leads onPress={toPage('history')} /> : null}
      {mayReview ? <Door icon="ban" text={t('doors.bans')} leads onPress={toPage('bans')} /> : null}
      {mayCheck ? (
        <Door icon="key" text={t('doors.rights')} end={t('doors.rightsWhere')} leads onPress={toPage('roles')} />
      ) : null}
      <Door
        icon="search"
        text={t('doors.messages')}
        leads
        onPress={follow(searchOpened({ text: '', chips: [`from:${userId}`], tab: 'messages' }))}
      />
    </div>
  )
}

type DoorProps = {
  readonly icon: IconName
  readonly text: string
  readonly end?: string
  readonly danger?: boolean
  readonly working?: boolean
  /** Opens another page. */
  readonly leads?: boolean
  readonly onPress: () => void
}

function Door({ icon, text, end, danger = false, working = false, leads = false, onPress }: DoorProps) {
  return (
    <button
      type="button"
      className={styles['door']}
      data-danger={danger || undefined}
      aria-busy={working || undefined}
      onClick={working ? undefined : onPress}
    >
      <Icon name={icon} size={17} />
      {text}
      {end === undefined && !leads ? null : (
        <span className={styles['doorEnd']}>
          {end}
          {leads ? <Icon name="chevron-right" size={15} /> : null}
        </span>
      )}
    </button>
  )
}

/** Everything about the person in a file, with the place where it was saved. */
function ExportDoor({ person }: { readonly person: DirectoryPerson }) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const [saved, setSaved] = useState<SavedFile>()
  const formMessage = useRemark()
  const run = async (): Promise<void> => {
    setWorking(true)
    formMessage.clear()
    const answer = await dispatch(exportPerson({ userId: person.id }))
    setWorking(false)
    if (!answer.ok) return formMessage.refuse(answer.error)
    setSaved(answer.value.saved)
  }
  return (
    <>
      <Door icon="download" text={t('export.open')} working={working} onPress={() => void run()} />
      <div role="status" className={styles['hint']}>
        {saved === undefined
          ? null
          : t('export.saved', { count: saved.messages, file: saved.fileName, folder: saved.folderName })}
      </div>
      {saved === undefined ? null : (
        <Button size="small" onClick={() => void dispatch(showExported())}>
          {t('export.show')}
        </Button>
      )}
      <Refusal text={formMessage.text} />
    </>
  )
}
