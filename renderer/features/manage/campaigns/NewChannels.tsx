import { useState } from 'react'
import type { CampaignChannel } from '#shared/domain/manage/campaigns.ts'
import { isFieldName } from '#shared/lib/field-names.ts'
import { fieldText, typedField } from '#shared/rules/people/people.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { PillOn } from '../../../ui/Mark/Pill.tsx'
import { useNames } from '../../people/index.ts'
import { PeoplePicker } from '../../sidebar/index.ts'
import styles from './Campaigns.module.css'

/** What channels that a campaign creates are like. */
export type CreatedChannel = Omit<CampaignChannel, 'type' | 'id'>

type Props = { readonly made: CreatedChannel; readonly onChange: (to: Partial<CreatedChannel>) => void }

const ROLES = ['member', 'moderator'] as const

/** What a channel is called and who is in it, where the campaign has to create one. */
export function NewChannels({ made, onChange }: Props) {
  const t = useTexts('campaigns')
  const { members, moderators = [], team = '', name = '', fields } = made
  const names = useNames(members)
  return (
    <fieldset className={styles['group']}>
      <legend>{t('delivery.new.title')}</legend>
      <TextField
        label={t('delivery.new.name')}
        optional={t('optional')}
        value={name}
        maxLength={255}
        autoComplete="off"
        onChange={(next) => onChange({ name: next === '' ? undefined : next })}
      />
      <TextField
        label={t('delivery.new.team')}
        hint={t('delivery.new.teamHint')}
        optional={t('optional')}
        value={team}
        maxLength={64}
        autoComplete="off"
        onChange={(next) => onChange({ team: next === '' ? undefined : next })}
      />
      <PeoplePicker
        label={t('delivery.members')}
        chosen={members}
        onChange={(ids) => onChange({ members: ids, moderators: moderators.filter((each) => ids.includes(each)) })}
      />
      {members.map((id, index) => (
        <div key={id} className={styles['toggle']}>
          <bdi className={styles['toggleText']}>{names[index] ?? id}</bdi>
          <Select
            label={t('delivery.new.role', { name: names[index] ?? id })}
            value={moderators.includes(id) ? 'moderator' : 'member'}
            choices={ROLES.map((value) => ({ value, label: t(`delivery.new.roles.${value}`) }))}
            onChange={(role) => {
              const rest = moderators.filter((each) => each !== id)
              onChange({ moderators: role === 'moderator' ? [...rest, id] : rest })
            }}
          />
        </div>
      ))}
      <CustomData fields={fields} onChange={(next) => onChange({ fields: next })} />
    </fieldset>
  )
}

type DataProps = {
  readonly fields: CreatedChannel['fields']
  readonly onChange: (fields: CreatedChannel['fields']) => void
}

function CustomData({ fields, onChange }: DataProps) {
  const t = useTexts('campaigns')
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const formMessage = useRemark((own: 'wrong') => t(`extras.field.${own}`))
  const add = (): void => {
    if (!isFieldName(name.trim())) return formMessage.show('wrong')
    onChange({ ...fields, [name.trim()]: typedField(value, undefined) })
    setName('')
    setValue('')
  }
  return (
    <div role="group" aria-label={t('extras.field.title')} className={styles['form']}>
      <div className={styles['chips']}>
        {Object.entries(fields).map(([key, field]) => (
          <PillOn
            key={key}
            sign={<Icon name="braces" size={15} />}
            text={`${key}: ${fieldText(field)}`}
            label={t('extras.remove', { name: key })}
            onRemove={() => {
              const { [key]: _gone, ...rest } = fields
              onChange(rest)
            }}
          />
        ))}
      </div>
      <div className={styles['entry']}>
        <TextField
          label={t('extras.field.name')}
          optional={t('optional')}
          value={name}
          maxLength={64}
          autoComplete="off"
          onChange={(next) => {
            formMessage.clear()
            setName(next)
          }}
        />
        <TextField
          label={t('extras.field.value')}
          value={value}
          maxLength={5_000}
          autoComplete="off"
          onChange={setValue}
        />
        <Button size="small" icon="plus" onClick={add}>
          {t('extras.add')}
        </Button>
      </div>
      <Refusal text={formMessage.text} />
    </div>
  )
}
