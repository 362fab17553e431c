import { useCallback, useMemo, useState } from 'react'
import type { RoleTable, TypeRights, Role } from '#shared/domain/manage/directory.ts'
import { isPlainName } from '#shared/lib/field-names.ts'
import { useFormats, useTexts, useErrorText } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { fold } from '../../../lib/text/fold.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Banner } from '../../../ui/Banner/Banner.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { cx } from '../../../lib/cx.ts'
import { TextField, FindField } from '../../../ui/Field/TextField.tsx'
import { Listed, NewButton, Page, Question } from '../Page.tsx'
import { useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadRoles, removeRole, saveRights, createRole } from './commands.ts'
import { cellKey, RightsTable, type Cell } from './RightsTable.tsx'
import { StandingPanel } from './StandingPanel.tsx'
import { orderedRoles, useRightGroups, useRightRow, useRoleName, type RightGroup } from './words.ts'
import styles from './Roles.module.css'

type Props = {
  /** The person who is checked first. */
  readonly id?: string
  readonly onBack?: () => void
}

const ROLES = loadRoles()

/** What each role may do in the channels of a type. */
export function RolesPage({ id, onBack }: Props) {
  const t = useTexts('roles')
  const formats = useFormats()
  const loaded = useLoaded(ROLES, useTopic('roles'))
  const table = loaded.value
  const [chosen, setChosen] = useState<string>()
  const [query, setQuery] = useState('')
  const [dialog, setDialog] = useState<'new' | { readonly remove: string }>()
  const [checking, setChecking] = useState(id !== undefined)
  const types = useMemo(() => table?.types.toSorted((a, b) => formats.compare(a.name, b.name)) ?? [], [table, formats])
  const type = types.find(({ name }) => name === (chosen ?? 'team')) ?? types[0]
  const edits = useEdits(type)
  const groups = useRightGroups(table?.rights ?? NONE)
  const found = useMemo(() => matching(groups, query), [groups, query])
  const roles = useMemo(() => orderedRoles(table?.roles ?? NONE, formats.compare), [table, formats])
  return (
    <Page
      icon="key"
      title={t('title')}
      onBack={onBack}
      actions={
        <span className={styles['buttons']}>
          {table?.explains === true && !checking ? (
            <Button icon="user" onClick={() => setChecking(true)}>
              {t('check')}
            </Button>
          ) : null}
          {table === undefined ? null : <NewButton onClick={() => setDialog('new')}>{t('newRole')}</NewButton>}
        </span>
      }
      filters={
        type === undefined ? undefined : (
          <>
            <Select
              label={t('type')}
              value={type.name}
              choices={types.map(({ name }) => ({ value: name, label: `${t('type')}: ${name}` }))}
              onChange={(name) => setChosen(name)}
            />
            <FindField label={t('find')} value={query} onChange={setQuery} list="table" maxLength={100} />
            <Legend />
          </>
        )
      }
      onClosePanel={() => setChecking(false)}
      panel={checking ? <StandingPanel userId={id} onClose={() => setChecking(false)} /> : undefined}
      foot={
        type === undefined || edits.changes.size === 0 ? undefined : <Foot type={type} edits={edits} table={table} />
      }
    >
      {edits.elsewhere ? <Banner icon="refresh">{t('elsewhere')}</Banner> : null}
      <Listed list={{ ...loaded, rows: types }} empty={{ scene: 'lines', title: t('none') }}>
        {found.length === 0 ? (
          <Empty scene="search" title={t('none')}>
            {t('noneText')}
          </Empty>
        ) : type === undefined ? null : (
          <RightsTable
            label={t('title')}
            groups={found}
            roles={roles}
            grants={type.grants}
            off={type.off}
            changes={edits.changes}
            onToggle={edits.toggle}
            onDelete={(remove) => setDialog({ remove })}
          />
        )}
      </Listed>
      {dialog === 'new' ? <NewRoleDialog roles={roles} onClose={() => setDialog(undefined)} /> : null}
      {typeof dialog === 'object' ? <DeleteRole role={dialog.remove} onClose={() => setDialog(undefined)} /> : null}
    </Page>
  )
}

const NONE: readonly never[] = []

/** By the words of a right, its explanation, or the name on the wire. */
function matching(groups: readonly RightGroup[], query: string): readonly RightGroup[] {
  const wanted = fold(query.trim())
  if (wanted === '') return groups
  return groups
    .map((group) => ({
      ...group,
      rows: group.rows.filter((row) => fold(`${row.title} ${row.name} ${row.hint ?? ''}`).includes(wanted)),
    }))
    .filter(({ rows }) => rows.length > 0)
}

type Edits = {
  readonly changes: ReadonlyMap<string, boolean>
  readonly toggle: (cell: Cell, on: boolean) => void
  readonly discard: () => void
  /** Someone else changed rights of the type while there were unsaved changes. */
  readonly elsewhere: boolean
}

/** Changes of single cells, by channel type. One that is in force by now, here or elsewhere, is none any more. */
function useEdits(type: TypeRights | undefined): Edits {
  const [all, setAll] = useState<Readonly<Record<string, ReadonlyMap<string, boolean>>>>({})
  const [begun, setBegun] = useState<Readonly<Record<string, TypeRights['grants']>>>({})
  const name = type?.name ?? ''
  const grants = type?.grants
  const changes = useMemo(() => {
    const pending = [...(all[name] ?? new Map<string, boolean>())].filter(([key, on]) => isOn(grants, key) !== on)
    return new Map(pending)
  }, [all, name, grants])
  const start = begun[name]
  const toggle = useCallback(
    (cell: Cell, on: boolean) => {
      setBegun((before) => (before[name] === undefined && grants ? { ...before, [name]: grants } : before))
      setAll((before) => ({ ...before, [name]: new Map(before[name]).set(cellKey(cell), on) }))
    },
    [name, grants],
  )
  const discard = useCallback(() => {
    setAll((before) => ({ ...before, [name]: new Map() }))
    setBegun(({ [name]: gone, ...others }) => (gone === undefined ? others : others))
  }, [name])
  return {
    changes,
    toggle,
    discard,
    elsewhere: changes.size > 0 && start !== undefined && JSON.stringify(start) !== JSON.stringify(grants),
  }
}

function isOn(grants: TypeRights['grants'] | undefined, key: string): boolean {
  const { role, right } = cellOf(key)
  return grants?.[role]?.includes(right) === true
}

function cellOf(key: string): Cell {
  const [role = '', ...right] = key.split(' ')
  return { role, right: right.join(' ') }
}

function Legend() {
  const t = useTexts('roles')
  return (
    <span className={styles['legend']}>
      <Icon name="check" size={14} /> {t('allowed')}
      <span>– {t('notAllowed')}</span>
    </span>
  )
}

/** Changes that are named one by one; the rest is counted. */
const NAMED = 3

type FootProps = { readonly type: TypeRights; readonly edits: Edits; readonly table: RoleTable | undefined }

/** What would change, in words. */
function Foot({ type, edits, table }: FootProps) {
  const t = useTexts('roles')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const roleName = useRoleName()
  const rowOf = useRightRow()
  const [working, setWorking] = useState(false)
  const changes = [...edits.changes].map(([key, on]) => ({ ...cellOf(key), on }))
  const titles = new Map(table?.rights.map((right) => [right.name, right]) ?? [])
  const sentences = changes.slice(0, NAMED).map(({ role, right, on }) => {
    const words = { role: roleName(role), right: rowOf(titles.get(right) ?? { name: right }).title }
    return t(on ? 'gets' : 'loses', words)
  })
  const more = changes.length - sentences.length
  const save = async (): Promise<void> => {
    setWorking(true)
    const saved = await dispatch(saveRights({ type: type.name, changes }))
    setWorking(false)
    if (!saved.ok) return
    edits.discard()
    announce(t('saved'))
  }
  return (
    <>
      <p className={styles['sum']} role="status">
        <b>{t('changes', { count: changes.length })}</b> {sentences.join(' ')}{' '}
        {more > 0 ? t('more', { count: more }) : null}
      </p>
      <Button aria-disabled={working || undefined} onClick={() => working || edits.discard()}>
        {t('discard')}
      </Button>
      <Button
        variant="primary"
        working={working}
        aria-disabled={offline || undefined}
        title={offline ? t('offline') : undefined}
        onClick={() => offline || void save()}
      >
        {t('save')}
      </Button>
    </>
  )
}

function DeleteRole({ role, onClose }: { readonly role: string; readonly onClose: () => void }) {
  const t = useTexts('roles')
  const dispatch = useAppDispatch()
  return (
    <Question
      title={t('deleteTitle', { role })}
      texts={[t('deleteText')]}
      confirm={t('deleteConfirm')}
      done={t('deleted')}
      onConfirm={() => dispatch(removeRole({ name: role }))}
      onClose={onClose}
    />
  )
}

type NewRoleDialogProps = { readonly roles: readonly Role[]; readonly onClose: () => void }

/** A role that starts with the rights of another one. */
function NewRoleDialog({ roles, onClose }: NewRoleDialogProps) {
  const t = useTexts('roles')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const nameOf = useRoleName()
  const [name, setName] = useState('')
  const [like, setLike] = useState('channel_member')
  const [error, setError] = useState<string>()
  const [working, setWorking] = useState(false)
  const create = async (): Promise<void> => {
    const wanted = name.trim()
    if (!isPlainName(wanted)) return setError(t('create.wrong'))
    if (roles.some((role) => role.name === wanted)) return setError(t('create.exists'))
    if (offline) return setError(t('offline'))
    setWorking(true)
    const created = await dispatch(createRole({ name: wanted, like }))
    setWorking(false)
    if (!created.ok) return setError(errorText(created.error))
    announce(t('create.done'))
    onClose()
  }
  const models = roles.filter(({ name: each }) => each !== 'owner')
  return (
    <Dialog
      width={400}
      title={t('create.title')}
      onClose={onClose}
      onSubmit={() => working || void create()}
      actions={
        <>
          <Button onClick={onClose}>{t('create.cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t('create.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <TextField
          label={t('create.name')}
          hint={t('create.nameHint')}
          value={name}
          error={error}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          mono
          onChange={(value) => {
            setName(value)
            setError(undefined)
          }}
        />
        <div className={cx(styles['choice'], styles['model'])}>
          <span>{t('create.like')}</span>
          <Select
            label={t('create.like')}
            value={like}
            choices={models.map((role) => ({
              value: role.name,
              label: role.custom
                ? role.name
                : `${nameOf(role.name)} (${t(`scopes.${role.scope === 'app' ? 'app' : 'channel'}`)})`,
            }))}
            onChange={setLike}
          />
        </div>
      </div>
    </Dialog>
  )
}
