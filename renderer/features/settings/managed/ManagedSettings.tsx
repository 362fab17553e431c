import type { IgnoredPolicy, Managed, Policies, PolicyName } from '#shared/domain/desktop/policies.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useHost } from '../../../store/hooks.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'
import { Icon } from '../../../ui/Icon/Icon.tsx'

/** All administrator policies on this device, their sources, and unknown or invalid ones. */
export function ManagedSettings() {
  const t = useTexts('desktop')
  const { managed } = useHost()
  if (managed === undefined) return null
  return (
    <section aria-labelledby="managed-settings">
      <h2 id="managed-settings">{t('managed.title')}</h2>
      <p className={styles['hint']}>{t('managed.lead')}</p>
      <Sources managed={managed} />
      {(Object.keys(managed.values) as PolicyName[]).map((name) => (
        <PolicyRow key={name} name={name} values={managed.values} />
      ))}
    </section>
  )
}

function Sources({ managed: { sources, unknown, refused } }: { readonly managed: Managed }) {
  const t = useTexts('desktop')
  const formats = useFormats()
  const good = sources.filter(({ problem }) => problem === undefined).map(({ from }) => from)
  return (
    <ul className={styles['hint']}>
      {good.length === 0 ? null : <li>{t('managed.from', { places: formats.list(good) })}</li>}
      {sources.map(({ from: place, problem }) =>
        problem === undefined ? null : (
          <li key={place}>
            {problem === 'unreadable' ? t('managed.unreadable', { place }) : t('managed.notPolicies', { place })}
          </li>
        ),
      )}
      {unknown.length === 0 ? null : (
        <li>{t('managed.unknown', { count: unknown.length, names: formats.list(unknown.map(nameOf)) })}</li>
      )}
      {refused.length === 0 ? null : (
        <li>{t('managed.refused', { count: refused.length, names: formats.list(refused.map(nameOf)) })}</li>
      )}
    </ul>
  )
}

const nameOf = ({ name }: IgnoredPolicy): string => name

function PolicyRow({ name, values }: { readonly name: PolicyName; readonly values: Policies }) {
  const t = useTexts('desktop')
  return (
    <SettingRow title={t(`managed.policies.${name}`)} hint={useValue(name, values)}>
      <ManagedBy />
    </SettingRow>
  )
}

/** A boolean as text; names and numbers as they are in the file. */
function useValue(name: PolicyName, values: Policies): string {
  const t = useTexts('desktop')
  const formats = useFormats()
  const value = values[name]
  if (typeof value === 'boolean') {
    if (name.startsWith('Allow')) return value ? t('managed.values.allowed') : t('managed.values.forbidden')
    return value ? t('managed.values.on') : t('managed.values.off')
  }
  if (typeof value === 'number') return formats.number(value)
  if (typeof value === 'string') return value
  return formats.list((value ?? []).map((one) => (typeof one === 'string' ? one : one.name)))
}

/** Replaces a control that is managed by an administrator: a lock and a note. */
export function ManagedBy() {
  const t = useTexts('desktop')
  const { Organization: name } = usePolicies()
  return (
    <span className={styles['managed']}>
      <Icon name="lock" size={15} />
      {name === undefined ? t('managed.byOrganisation') : t('managed.by', { name })}
    </span>
  )
}

/** Administrator policies; empty on most devices. */
const usePolicies = (): Policies => useHost().managed?.values ?? {}

/** Whether a policy fixes this setting. A policy that only allows something fixes nothing. */
export function useIsManaged(policy: PolicyName): boolean {
  const value = usePolicies()[policy]
  return policy.startsWith('Allow') ? value === false : value !== undefined
}
