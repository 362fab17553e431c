import { useMemo, useState } from 'react'
import type { UserGroup } from '#shared/domain/manage/directory.ts'
import { ok, type ErrorBody } from '#shared/lib/app-error.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isPlainName } from '#shared/lib/field-names.ts'
import { asUserId, type UserId } from '#shared/lib/brand.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useFormats, useTexts, useRemark } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection, useMe } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextArea, TextField, FindField } from '../../../ui/Field/TextField.tsx'
import { type Command, command } from '../../../store/command.ts'
import { Faces, Portrait, useNames } from '../../people/index.ts'
import { Listed, NewButton, Page, useReturnToRow, Question } from '../Page.tsx'
import { byCursor, usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { PeoplePicker } from '../../sidebar/index.ts'
import styles from './Groups.module.css'
import { EditableText } from '../directory/Fields.tsx'

type Props = { readonly id?: string; readonly onBack?: () => void }

const idOf = ({ id }: UserGroup): string => id

/** People who can be mentioned together: listed, created, changed, deleted. */
export function GroupsPage({ id, onBack }: Props) {
  const t = useTexts('groups')
  const [find, setFind] = useState('')
  const [openId, setOpenId] = useState(id)
  const [asking, setAsking] = useState<'create' | 'delete'>()
  const list = useGroups(find.trim())
  const closePanel = useReturnToRow(openId, setOpenId)
  const columns = useColumns()
  const open = list.rows.find((group) => group.id === openId)
  return (
    <Page
      icon="at"
      title={t('title')}
      fact={list.rows.length === 0 ? undefined : t('fact', { count: list.rows.length })}
      onBack={onBack}
      actions={
        <NewButton variant="primary" onClick={() => setAsking('create')}>
          {t('create.open')}
        </NewButton>
      }
      filters={<FindField label={t('find')} value={find} onChange={setFind} list="[role=table]" maxLength={100} />}
      onClosePanel={closePanel}
      panel={
        open === undefined ? undefined : (
          <GroupPanel key={open.id} group={open} onClose={closePanel} onDelete={() => setAsking('delete')} />
        )
      }
    >
      <Listed
        list={list}
        empty={
          find.trim() === ''
            ? { scene: 'done', title: t('none'), children: t('noneText') }
            : { scene: 'search', title: t('noneFound') }
        }
      >
        <Table
          label={t('title')}
          columns={columns}
          rows={list.rows}
          idOf={idOf}
          onEnd={list.next}
          openId={openId}
          onOpen={(group) => setOpenId(group.id)}
        />
      </Listed>
      {asking === 'create' ? (
        <CreateGroupDialog
          onClose={() => setAsking(undefined)}
          onCreated={(group) => {
            setFind('')
            setOpenId(group.id)
          }}
        />
      ) : null}
      {asking === 'delete' && open !== undefined ? (
        <DeleteGroupDialog group={open} onClose={() => setAsking(undefined)} onDeleted={() => setOpenId(undefined)} />
      ) : null}
    </Page>
  )
}

function useGroups(find: string) {
  const dispatch = useAppDispatch()
  const load = useMemo(
    () =>
      byCursor(async (after) => {
        const loaded = await dispatch(loadGroups({ find, ...(after === undefined ? {} : { after }) }))
        return loaded.ok ? ok({ rows: loaded.value.groups, next: loaded.value.next }) : loaded
      }),
    [dispatch, find],
  )
  return usePagesOf(load, find, useTopic('people'))
}

function useColumns(): readonly TableColumn<UserGroup>[] {
  const t = useTexts('groups')
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('columns.name'),
        width: 'minmax(160px, 2fr)',
        render: ({ id, name }) => (
          <span className={styles['names']}>
            <bdi className="ellipsis">{name}</bdi>
            <bdi className={cx(styles['second'], 'ellipsis')}>{id}</bdi>
          </span>
        ),
      },
      {
        id: 'members',
        title: t('columns.members'),
        width: 'minmax(110px, 1fr)',
        render: ({ members }) => (
          <span className={styles['members']}>
            <Faces userIds={members.map(({ userId }) => userId)} />
            {formats.number(members.length)}
          </span>
        ),
      },
      {
        id: 'description',
        title: t('columns.description'),
        width: 'minmax(120px, 2fr)',
        priority: 1,
        render: ({ description }) => <bdi>{description}</bdi>,
      },
      {
        id: 'created',
        title: t('columns.created'),
        width: '120px',
        priority: 2,
        render: ({ createdAt }) => (createdAt === undefined ? '' : formats.shortDate(createdAt)),
      },
    ],
    [t, formats],
  )
}

type CreateProps = { readonly onClose: () => void; readonly onCreated: (group: UserGroup) => void }

/** What was typed stays when the server refuses it. */
function CreateGroupDialog({ onClose, onCreated }: CreateProps) {
  const t = useTexts('groups')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [typed, setTyped] = useState({ name: '', id: '', description: '' })
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'nameMissing' | 'badId') => t(`create.${own}`))
  const change = (to: Partial<typeof typed>): void => {
    formMessage.clear()
    setTyped({ ...typed, ...to })
  }
  const submit = async (): Promise<void> => {
    const [name, id, description] = [typed.name.trim(), typed.id.trim(), typed.description.trim()]
    if (offline || working) return
    if (isBlank(name)) return formMessage.show('nameMissing')
    if (id !== '' && !isPlainName(id)) return formMessage.show('badId')
    setWorking(true)
    const made = await dispatch(
      createGroup({ name, ...(id === '' ? {} : { id }), ...(description === '' ? {} : { description }) }),
    )
    setWorking(false)
    if (!made.ok) return formMessage.refuse(made.error)
    announce(t('create.done', { name }))
    onClose()
    onCreated(made.value)
  }
  return (
    <Dialog
      width={440}
      title={t('create.title')}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {t('create.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <TextField
          label={t('name')}
          value={typed.name}
          maxLength={255}
          autoComplete="off"
          onChange={(name) => change({ name })}
        />
        <TextField
          label={t('create.id')}
          optional={t('create.optional')}
          hint={t('create.idHint')}
          mono
          value={typed.id}
          maxLength={64}
          autoComplete="off"
          onChange={(id) => change({ id })}
        />
        <TextArea
          label={t('description')}
          optional={t('create.optional')}
          value={typed.description}
          maxLength={1_024}
          onChange={(description) => change({ description })}
        />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

type DeleteProps = { readonly group: UserGroup; readonly onClose: () => void; readonly onDeleted: () => void }

function DeleteGroupDialog({ group: { id, name }, onClose, onDeleted }: DeleteProps) {
  const t = useTexts('groups')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  return (
    <Question
      title={t('delete.title', { name })}
      texts={[t('delete.text')]}
      confirm={t('delete.confirm')}
      done={t('delete.done', { name })}
      blocked={offline ? t('offline') : undefined}
      onConfirm={() => dispatch(removeGroup({ id }))}
      onClose={onClose}
      onDone={onDeleted}
    />
  )
}

type GroupPanelProps = { readonly group: UserGroup; readonly onClose: () => void; readonly onDelete: () => void }

/** The contract's limit. */
const MAX_MEMBERS = 100

/** One group: its name, its description, its members and who may change it. */
function GroupPanel({ group, onClose, onDelete }: GroupPanelProps) {
  const t = useTexts('groups')
  const dispatch = useAppDispatch()
  const change = async (to: { name?: string; description?: string }): Promise<ErrorBody | undefined> => {
    const done = await dispatch(changeGroup({ id: group.id, ...to }))
    if (!done.ok) return done.error
    announce(t('saved'))
    return undefined
  }
  return (
    <section className={styles['panel']} aria-label={t('group')}>
      <header className={styles['panelHead']}>
        <h2>{t('group')}</h2>
        <IconButton icon="x" label={t('close')} onClick={onClose} />
      </header>
      <div className={styles['panelBody']}>
        <div className={styles['part']}>
          <EditableText
            label={t('name')}
            edit={t('changeName')}
            value={group.name}
            maxLength={255}
            required
            onSave={(name) => change({ name })}
          >
            <bdi className={styles['name']}>{group.name}</bdi>
          </EditableText>
          <code className={styles['id']}>{group.id}</code>
          <EditableText
            label={t('description')}
            edit={t('changeDescription')}
            value={group.description ?? ''}
            maxLength={1_024}
            required={group.description !== undefined}
            missing={t('descriptionStays')}
            onSave={(description) => change({ description })}
          >
            <bdi className={styles['description']}>{group.description ?? t('noDescription')}</bdi>
          </EditableText>
          {group.teamId === undefined ? null : <p className={styles['hint']}>{t('ofTeam', { team: group.teamId })}</p>}
        </div>
        <Members group={group} />
        <div className={styles['part']}>
          <Button variant="risky" icon="trash" onClick={onDelete}>
            {t('delete.open')}
          </Button>
        </div>
      </div>
    </section>
  )
}

function Members({ group }: { readonly group: UserGroup }) {
  const t = useTexts('groups')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const me = useMe()?.id
  const names = useNames(group.members.map(({ userId }) => userId))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const members = group.members
    .map((member, index) => ({ ...member, name: names[index] ?? member.userId }))
    .toSorted((a, b) => formats.compare(a.name, b.name))
  const send = async (work: Command<UserGroup>): Promise<boolean> => {
    setWorking(true)
    formMessage.clear()
    const done = await dispatch(work)
    setWorking(false)
    if (!done.ok) formMessage.refuse(done.error)
    return done.ok
  }
  const add = async (ids: readonly string[]): Promise<void> => {
    if (offline || working || ids.length === 0) return
    if (await send(addGroupMembers({ id: group.id, memberIds: ids.map(asUserId), admin: false }))) {
      setChosen([])
      announce(t('members.added', { count: ids.length }))
    }
  }
  return (
    <div className={styles['part']}>
      <h3>{t('members.title', { count: members.length })}</h3>
      {members.length === 0 ? <p className={styles['hint']}>{t('members.none')}</p> : null}
      <ul className={styles['people']}>
        {members.map(({ userId, name, admin }) => (
          <Member
            key={userId}
            userId={userId}
            name={name}
            admin={admin}
            disabled={offline || working}
            onAdmin={(on) => void send(addGroupMembers({ id: group.id, memberIds: [userId], admin: on }))}
            onRemove={() => void send(removeGroupMembers({ id: group.id, memberIds: [userId] }))}
          />
        ))}
      </ul>
      <p className={styles['hint']}>{t('members.adminHint')}</p>
      <Refusal text={formMessage.text} />
      {members.length >= MAX_MEMBERS ? (
        <p className={styles['hint']}>{t('members.full', { count: MAX_MEMBERS })}</p>
      ) : (
        <div className={styles['adding']}>
          <PeoplePicker
            label={t('members.add')}
            chosen={chosen}
            max={MAX_MEMBERS - members.length}
            leaveOut={new Set(members.map(({ userId }) => userId))}
            onChange={setChosen}
          />
          <span className={styles['buttons']}>
            <Button
              size="small"
              variant="primary"
              working={working}
              aria-disabled={offline || chosen.length === 0 || undefined}
              title={offline ? t('offline') : undefined}
              onClick={() => void add(chosen)}
            >
              {chosen.length === 0 ? t('members.add') : t('members.addButton', { count: chosen.length })}
            </Button>
            {me === undefined || members.some(({ userId }) => userId === me) ? null : (
              <Button size="small" aria-disabled={offline || undefined} onClick={() => void add([me])}>
                {t('members.addMe')}
              </Button>
            )}
          </span>
        </div>
      )}
    </div>
  )
}

type MemberProps = {
  readonly userId: UserId
  readonly name: string
  readonly admin: boolean
  readonly disabled: boolean
  readonly onAdmin: (on: boolean) => void
  readonly onRemove: () => void
}

function Member({ userId, name, admin, disabled, onAdmin, onRemove }: MemberProps) {
  const t = useTexts('groups')
  return (
    <li className={styles['member']}>
      <Portrait userId={userId} size={28} />
      <bdi className={styles['memberName']}>{name}</bdi>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={admin}
          aria-disabled={disabled || undefined}
          aria-label={t('members.adminOf', { name })}
          onChange={() => disabled || onAdmin(!admin)}
        />
        {t('members.admin')}
      </label>
      <IconButton
        icon="x"
        size="small"
        label={t('members.remove', { name })}
        aria-disabled={disabled || undefined}
        onClick={() => disabled || onRemove()}
      />
    </li>
  )
}

type Input<Name extends keyof EngineClient['groups']> = Parameters<EngineClient['groups'][Name]>[0]

/** Quiet: errors are shown in place of what was asked for, or in the form that asked. */
const quiet = { quiet: true }

const loadGroups = command('groups/listed', (input: Input<'list'>, engine) => engine.groups.list(input), quiet)
const createGroup = command('groups/created', (input: Input<'create'>, engine) => engine.groups.create(input), quiet)
const changeGroup = command('groups/changed', (input: Input<'change'>, engine) => engine.groups.change(input), quiet)
const removeGroup = command('groups/removed', (input: Input<'remove'>, engine) => engine.groups.remove(input), quiet)
const addGroupMembers = command(
  'groups/membersAdded',
  (input: Input<'addMembers'>, engine) => engine.groups.addMembers(input),
  quiet,
)
const removeGroupMembers = command(
  'groups/membersRemoved',
  (input: Input<'removeMembers'>, engine) => engine.groups.removeMembers(input),
  quiet,
)
