import { useState } from 'react'
import type { Removal } from '#shared/domain/manage/directory.ts'
import { asUserId, type UserId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useMe } from '../../../store/hooks.ts'
import { Radios } from '../../../ui/Choice/Radios.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { PeoplePicker } from '../../sidebar/index.ts'
import { PeopleDialog, useWho } from './ActivationDialogs.tsx'
import { deletePeople } from './commands.ts'
import { useOutcome } from './use-outcome.ts'
import styles from './Directory.module.css'

const MESSAGES = ['stay', 'soft', 'hard'] as const
type Messages = (typeof MESSAGES)[number]
type Owner = 'nobody' | 'me' | 'other'

/** What becomes of their profile, their messages, their conversations and their channels. */
export function DeleteDialog({ userIds }: { readonly userIds: readonly UserId[] }) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const me = useMe()?.id
  const { isOne, count, person } = useWho(userIds)
  const [user, setUser] = useState<Removal>('soft')
  const [messages, setMessages] = useState<Messages>('stay')
  const [conversations, setConversations] = useState<Messages>('stay')
  const [owner, setOwner] = useState<Owner>('nobody')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const outcome = useOutcome(isOne ? t('delete.doneOne', { person }) : t('delete.done', { count }))
  const newOwnerId =
    owner === 'me' ? me : owner === 'other' && chosen[0] !== undefined ? asUserId(chosen[0]) : undefined
  const [asked, setAsked] = useState(false)
  const hasNoOwner = owner === 'other' && newOwnerId === undefined
  const isForGood = user === 'hard' || messages === 'hard' || conversations === 'hard'
  const run = async () => {
    setAsked(false)
    const done = await dispatch(
      deletePeople({
        userIds,
        user,
        ...(messages === 'stay' ? {} : { messages }),
        ...(conversations === 'stay' ? {} : { conversations }),
        ...(newOwnerId === undefined ? {} : { newOwnerId }),
      }),
    )
    if (done.ok && done.value.running) announce(t('delete.running'))
    return done
  }
  const choices = MESSAGES.map((value) => ({ value, label: t(`messages.${value}`) }))
  return (
    <PeopleDialog
      danger
      title={isOne ? t('delete.titleOne', { person }) : t('delete.title', { count })}
      confirm={t('delete.confirm')}
      outcome={{ ...outcome, error: asked && hasNoOwner ? t('delete.ownerMissing') : outcome.error }}
      onConfirm={() => (hasNoOwner ? setAsked(true) : void outcome.run(run))}
    >
      <h3 className={styles['question']}>{t('delete.profile')}</h3>
      <Radios
        label={t('delete.profile')}
        value={user}
        onChange={setUser}
        choices={(['soft', 'pruning', 'hard'] as const).map((value) => ({
          value,
          label: t(`delete.profiles.${value}`),
          hint: t(`delete.profileHints.${value}`),
        }))}
      />
      <h3 className={styles['question']}>{t('messages.title')}</h3>
      <Radios label={t('messages.title')} value={messages} onChange={setMessages} choices={choices} />
      <h3 className={styles['question']}>{t('delete.conversations')}</h3>
      <Radios label={t('delete.conversations')} value={conversations} onChange={setConversations} choices={choices} />
      <div className={styles['choiceRow']}>
        <span>{t('delete.owner')}</span>
        <Select
          label={t('delete.owner')}
          value={owner}
          choices={(['nobody', 'me', 'other'] as const).map((value) => ({ value, label: t(`delete.owners.${value}`) }))}
          onChange={setOwner}
        />
      </div>
      {owner === 'other' ? (
        <PeoplePicker
          label={t('delete.newOwner')}
          chosen={chosen}
          max={1}
          leaveOut={new Set<string>(userIds)}
          onChange={setChosen}
        />
      ) : null}
      <DialogText>
        {t(isForGood ? 'delete.forGood' : user === 'soft' ? 'delete.restorable' : 'delete.pruned')}
      </DialogText>
    </PeopleDialog>
  )
}
