import { expect, type Page } from '@playwright/test'

/** A page of administration, from anywhere in the window. */
export async function openPage(page: Page, name: string): Promise<void> {
  await page
    .getByRole('button', { name: /^Manage/ })
    .or(page.getByRole('link', { name: /^Manage/ }))
    .first()
    .click()
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}
