import { useMemo, useState, useCallback, useId, type ReactNode } from 'react'
import type { Findable, Standing } from '#shared/domain/manage/directory.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { flagNeeded } from '#shared/rules/channels/grants.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { useUser, useAppDispatch } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Spinner } from '../../../ui/View/Empty.tsx'
import { Popover } from '../../../ui/Popover/Popover.tsx'
import { Portrait } from '../../people/index.ts'
import { FindList } from '../FindList.tsx'
import { useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadStanding, findIn } from './commands.ts'
import { useFeatureName, useRightGroups, useRightRow, useRoleName } from './words.ts'
import styles from './Roles.module.css'

type Props = {
  /** The person who is chosen first. */
  readonly userId?: string
  readonly onClose: () => void
}

/** What one person may do in one channel, and why: first what they can't. */
export function StandingPanel({ userId, onClose }: Props) {
  const t = useTexts('roles')
  const errorText = useErrorText()
  const known = useUser(userId)
  const [person, setPerson] = useState<Findable | undefined>(
    userId === undefined ? undefined : { id: userId, name: known?.name ?? userId },
  )
  const [channel, setChannel] = useState<Findable>()
  const { standing, error, loading } = useStanding(person?.id, channel?.id)
  return (
    <section className={styles['standing']} aria-label={t('standing.title')}>
      <header className={styles['standingHead']}>
        <h2>{t('standing.title')}</h2>
        <IconButton icon="x" label={t('standing.close')} onClick={onClose} />
      </header>
      <div className={styles['standingTop']}>
        <Finder
          what="people"
          label={t('standing.person')}
          placeholder={t('standing.choosePerson')}
          chosen={person}
          onChoose={setPerson}
        />
        <Finder
          what="channels"
          label={t('standing.channel')}
          placeholder={t('standing.chooseChannel')}
          chosen={channel}
          onChoose={setChannel}
        />
        {standing === undefined ? <p className={styles['quiet']}>{t('standing.intro')}</p> : <Roles of={standing} />}
        <Refusal text={error === undefined ? undefined : errorText(error)} />
      </div>
      {standing !== undefined ? <Verdicts of={standing} /> : loading ? <Spinner /> : null}
    </section>
  )
}

function useStanding(userId: string | undefined, cid: string | undefined) {
  const load = useMemo(
    () =>
      userId === undefined || cid === undefined
        ? undefined
        : loadStanding({ userId: asUserId(userId), cid: asCid(cid) }),
    [userId, cid],
  )
  const { value, error, loading } = useLoaded(load, useTopic('roles'))
  // Rights that could not be asked for again may have changed.
  return { standing: error === undefined ? value : undefined, error, loading }
}

function Roles({ of: { appRole, channelRole, isCreator } }: { readonly of: Standing }) {
  const t = useTexts('roles')
  const nameOf = useRoleName()
  const app = nameOf(appRole)
  return (
    <p className={styles['quiet']}>
      {channelRole === undefined
        ? t('standing.outside', { app })
        : t(isCreator ? 'standing.creator' : 'standing.roles', { app, channel: nameOf(channelRole) })}
    </p>
  )
}

/** Rights that are listed before the others are asked for. */
const FIRST = 6

function Verdicts({ of }: { readonly of: Standing }) {
  const t = useTexts('roles')
  const [all, setAll] = useState(false)
  // In the order in which the table shows them.
  const order = useRightGroups(of.rights.map(({ right }) => ({ name: right }))).flatMap(({ rows }) => rows)
  const byName = new Map(of.rights.map((each) => [each.right, each]))
  const ordered = order.flatMap(({ name }) => byName.get(name) ?? [])
  const cant = ordered.filter(({ can }) => !can)
  const can = ordered.filter((each) => each.can)
  return (
    <>
      <Verdict title={t('standing.cant')} of={of} rights={cant} />
      <Verdict title={t('standing.can')} of={of} rights={all ? can : can.slice(0, FIRST)} />
      {can.length > FIRST ? (
        <div className={styles['all']}>
          <Button variant="link" onClick={() => setAll((open) => !open)}>
            {all ? t('standing.less') : t('standing.all', { count: can.length })}
          </Button>
        </div>
      ) : null}
    </>
  )
}

type VerdictProps = { readonly title: string; readonly of: Standing; readonly rights: Standing['rights'] }

function Verdict({ title, of, rights }: VerdictProps) {
  const rowOf = useRightRow()
  const reasonOf = useReason(of)
  if (rights.length === 0) return null
  return (
    <section className={styles['verdicts']} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {rights.map((each) => (
          <li key={each.right}>
            <Icon name={each.can ? 'check' : 'ban'} size={15} />
            <span>
              <b>{rowOf({ name: each.right }).title}</b>
              <small>{reasonOf(each)}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function useReason({ appRole, channelRole = '', cooldown }: Standing): (each: Standing['rights'][number]) => string {
  const t = useTexts('roles')
  const rowOf = useRightRow()
  const nameOf = useRoleName()
  const featureOf = useFeatureName()
  return (each) => {
    if (!each.can) {
      const feature = featureOf(flagNeeded(each.right) ?? '')
      return t(`standing.why.${each.why}`, { right: rowOf({ name: each.right }).title, feature })
    }
    const by = t(`standing.by.${each.by}`, { role: nameOf(each.by === 'app-role' ? appRole : channelRole) })
    return each.slow ? `${by}. ${t('standing.slow', { count: cooldown })}` : by
  }
}

type FinderProps = {
  readonly what: 'people' | 'channels'
  readonly label: string
  /** Shown while nothing is chosen. */
  readonly placeholder: string
  readonly chosen: Findable | undefined
  readonly onChoose: (found: Findable) => void
}

/** A person or a channel of the whole workspace, found by name. */
function Finder({ what, label, placeholder, chosen, onChoose }: FinderProps) {
  const t = useTexts('roles')
  const dispatch = useAppDispatch()
  const [anchor, setAnchor] = useState<Element>()
  const id = useId()
  const close = (): void => setAnchor(undefined)
  // Nothing is found where the server cannot be asked.
  const find = useCallback(
    async (text: string) => {
      const found = await dispatch(findIn({ what, text }))
      return found.ok ? found.value : []
    },
    [dispatch, what],
  )
  const sign = (each: string): ReactNode =>
    what === 'people' ? <Portrait userId={each} size={20} /> : <Icon name="hash" size={16} />
  return (
    <div className={styles['choice']}>
      <span id={id}>{label}</span>
      <button
        type="button"
        className={styles['finder']}
        aria-labelledby={`${id} ${id}-value`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor((open) => (open === undefined ? currentTarget : undefined))}
      >
        {chosen === undefined ? null : sign(chosen.id)}
        <bdi id={`${id}-value`} className="ellipsis">
          {chosen?.name ?? placeholder}
        </bdi>
        <Icon name="chevron-down" size={15} />
      </button>
      {anchor === undefined ? null : (
        <Popover label={label} anchor={anchor} onClose={close}>
          <FindList
            label={label}
            find={find}
            renderSign={sign}
            searching={t('standing.searching')}
            nothing={t(what === 'people' ? 'standing.nobody' : 'standing.nothing')}
            onChoose={(found) => {
              onChoose(found)
              close()
            }}
          />
        </Popover>
      )}
    </div>
  )
}
