import { useState } from 'react'
import type { UserGroup } from '#shared/domain/manage/directory.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { asUserId, type UserId } from '#shared/lib/brand.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import type { Command } from '../../../store/command.ts'
import { useAppDispatch, useConnection, useMe } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Portrait, useNames } from '../../people/index.ts'
import { PeoplePicker } from '../../sidebar/index.ts'
import { EditableText } from '../directory/EditableText.tsx'
import { addGroupMembers, changeGroup, removeGroupMembers } from './commands.ts'
import styles from './Groups.module.css'

type Props = { readonly group: UserGroup; readonly onClose: () => void; readonly onDelete: () => void }

/** The contract's limit. */
const MAX_MEMBERS = 100

/** One group: its name, its description, its members and who may change it. */
export function GroupPanel({ group, onClose, onDelete }: Props) {
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
