import { openPage } from '../kit/manage.ts'
import { expect, test } from '../kit/world.ts'

const CID = 'team:release-4-2'

test('an audience is built from a list and from a filter, checked, saved, and found again', async ({ world }) => {
  const { screen: ola } = await world.demo()
  const { page } = ola
  await ola.openChannel(CID)
  await openPage(page, 'Segments')
  await expect(page.getByText('No segments yet')).toBeVisible()

  await test.step('a segment of a list takes those who are found', async () => {
    await page.getByRole('button', { name: 'Create segment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create segment' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Hut keepers <b>2026</b>')
    await dialog.getByText('A list of people').click()
    await dialog.getByRole('button', { name: 'Create segment' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Hut keepers <b>2026</b>' })).toBeVisible()
    const field = page.getByRole('textbox', { name: /^Names, IDs/ })
    await field.fill('hana\njonas\nHana Mori\nnobody.at.all')
    await page.getByRole('button', { name: 'Add 2 people' }).click()
    await expect(field).toHaveValue('nobody.at.all')
    await expect(page.getByRole('row', { name: /Hana Mori/ })).toBeVisible()
    await expect(page.getByRole('row', { name: /Jonas/ })).toBeVisible()
  })

  await test.step('a filter adds those who match, with why', async () => {
    await page.getByRole('radio', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    const condition = page.getByRole('group', { name: 'Condition 1' })
    await condition.getByRole('combobox', { name: 'Field' }).selectOption('id')
    await condition.getByRole('textbox', { name: 'Value' }).fill('ola')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
    const who = page.getByRole('region', { name: 'Who is in it' })
    await expect(who.getByText('ID is ola')).toBeVisible()
    await expect(who.getByRole('listitem')).toHaveCount(3)
    await expect(who.getByText('3', { exact: true })).toBeVisible()
  })

  await test.step('the JSON says the same, and a mistake in it is shown in its line', async () => {
    await page.getByRole('radio', { name: 'JSON' }).click()
    const json = page.getByRole('textbox', { name: 'Filter as JSON' })
    await expect(json).toHaveValue(/"\$eq": "ola"/)
    await json.fill('{\n  "role": { "$like": "a" }\n}')
    await expect(page.getByRole('alert').getByText(/^Line 2: “\$like”/)).toBeVisible()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(json).toHaveValue(/"\$eq": "ola"/)
  })

  await test.step('it is found in the list, and deleted', async () => {
    await page.getByRole('main').getByRole('button', { name: 'Back' }).click()
    const row = page.getByRole('row', { name: /Hut keepers/ })
    await expect(row).toContainText('3')
    await row.click()
    await page.getByRole('button', { name: 'Delete segment' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete segment' }).click()
    await expect(page.getByText('No segments yet')).toBeVisible()
  })
  expect(ola.complaints).toEqual([])
})
