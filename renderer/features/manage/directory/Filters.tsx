import { useState } from 'react'
import { PERSON_STATES, PERSON_SORTS, type PersonSort, type PersonState } from '#shared/domain/manage/directory.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { MenuPill, PillOn, PopoverPill } from '../../../ui/Mark/Pill.tsx'
import type { TableSort } from '../../../ui/Table/Table.tsx'
import { useRoleName } from './commands.ts'
import styles from './Directory.module.css'

type Props = {
  readonly filter: DirectoryFilter
  readonly roles: readonly string[]
  /** Teams of the people who are loaded. */
  readonly teams: readonly string[]
  /** The server lists deleted people. */
  readonly withDeleted: boolean
  readonly onChange: (filter: DirectoryFilter) => void
}

const toggled = (list: readonly string[], value: string): readonly string[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value]

/** Narrows the directory by role, team, state and last activity. */
export function Filters({ filter, roles, teams, withDeleted, onChange }: Props) {
  const t = useTexts('directory')
  const formats = useFormats()
  const roleName = useRoleName()
  return (
    <>
      {filter.roles.length === 0 ? (
        <MenuPill
          icon="key"
          text={t('filters.role')}
          items={() =>
            roles.map((role) => ({
              id: role,
              label: roleName(role),
              onSelect: () => onChange({ ...filter, roles: [role] }),
            }))
          }
        />
      ) : (
        <PillOn
          text={t('filters.roleIs', { role: formats.list(filter.roles.map(roleName)) })}
          label={t('filters.remove', { filter: t('filters.role') })}
          onRemove={() => onChange({ ...filter, roles: [] })}
        />
      )}
      {filter.teams.length > 0 ? (
        <PillOn
          text={t('filters.teamIs', { team: formats.list(filter.teams) })}
          label={t('filters.remove', { filter: t('filters.team') })}
          onRemove={() => onChange({ ...filter, teams: [] })}
        />
      ) : (
        <PopoverPill icon="users" text={t('filters.team')}>
          {(close) => (
            <TeamChoice
              teams={teams.toSorted(formats.compare)}
              onChoose={(chosen) => {
                close()
                onChange({ ...filter, teams: chosen })
              }}
            />
          )}
        </PopoverPill>
      )}
      <StateFilter filter={filter} withDeleted={withDeleted} onChange={onChange} />
      <PeriodFilter filter={filter} onChange={onChange} />
    </>
  )
}

function StateFilter({ filter, withDeleted, onChange }: Pick<Props, 'filter' | 'withDeleted' | 'onChange'>) {
  const t = useTexts('directory')
  const states = PERSON_STATES.filter((state) => state !== 'deleted' || withDeleted)
  if (filter.state === undefined) {
    return (
      <MenuPill
        icon="circle-dashed"
        text={t('filters.state')}
        items={() =>
          states.map((state) => ({
            id: state,
            label: t(`states.${state}`),
            onSelect: () => onChange({ ...filter, state }),
          }))
        }
      />
    )
  }
  return (
    <PillOn
      text={t(`states.${filter.state}`)}
      label={t('filters.remove', { filter: t('filters.state') })}
      onRemove={() => onChange({ ...filter, state: undefined })}
    />
  )
}

function PeriodFilter({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const t = useTexts('directory')
  if (filter.period === undefined) {
    return (
      <MenuPill
        icon="clock"
        text={t('filters.period')}
        items={() =>
          PERIODS.map((period) => ({
            id: period,
            label: t(`periods.${period}`),
            onSelect: () => onChange({ ...filter, period }),
          }))
        }
      />
    )
  }
  return (
    <PillOn
      text={t(`periods.${filter.period}`)}
      label={t('filters.remove', { filter: t('filters.period') })}
      onRemove={() => onChange({ ...filter, period: undefined })}
    />
  )
}

type TeamChoiceProps = { readonly teams: readonly string[]; readonly onChoose: (teams: readonly string[]) => void }

/** Teams by their names: those that were seen, or one that is typed, because no server lists them all. */
function TeamChoice({ teams, onChoose }: TeamChoiceProps) {
  const t = useTexts('directory')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const all = isBlank(typed) ? chosen : [...new Set([...chosen, typed.trim()])]
  return (
    <form
      className={styles['choice']}
      onSubmit={(event) => {
        event.preventDefault()
        if (all.length > 0) onChoose(all)
      }}
    >
      <TextField label={t('filters.teamName')} value={typed} maxLength={64} autoComplete="off" onChange={setTyped} />
      <div className={styles['choices']}>
        {teams.map((team) => (
          <label key={team} className={styles['check']}>
            <input type="checkbox" checked={chosen.includes(team)} onChange={() => setChosen(toggled(chosen, team))} />
            <bdi className="ellipsis">{team}</bdi>
          </label>
        ))}
      </div>
      <Button type="submit" variant="primary" size="small" aria-disabled={all.length === 0 || undefined}>
        {t('filters.apply')}
      </Button>
    </form>
  )
}

const PERIODS = ['day', 'week', 'month', 'notMonth', 'notQuarter'] as const
type Period = (typeof PERIODS)[number]

/** How the directory is narrowed. */
type DirectoryFilter = {
  readonly roles: readonly string[]
  readonly teams: readonly string[]
  readonly state?: PersonState
  readonly period?: Period
}

/** How the directory was when a link on it was followed. */
export type DirectoryList = {
  readonly find: string
  readonly filter: DirectoryFilter
  readonly sort: TableSort
  /** How many people were loaded. */
  readonly count: number
}

export const NO_FILTER: DirectoryFilter = { roles: [], teams: [] }

export const isNarrowed = ({ roles, teams, state, period }: DirectoryFilter): boolean =>
  roles.length > 0 || teams.length > 0 || state !== undefined || period !== undefined

const DAY_MS = 86_400_000
const DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 30, notMonth: 30, notQuarter: 90 }

/** Bounds of the time of the last activity. */
export function boundsOf(period: Period | undefined, now: number): { activeAfter?: number; activeBefore?: number } {
  if (period === undefined) return {}
  const at = now - DAYS[period] * DAY_MS
  return period === 'notMonth' || period === 'notQuarter' ? { activeBefore: at } : { activeAfter: at }
}

/** The order that a column stands for; names for all others. */
export function sortOf({ column, direction }: TableSort): { readonly by: PersonSort; readonly direction: 1 | -1 } {
  return { by: PERSON_SORTS.find((name) => name === column) ?? 'name', direction }
}
