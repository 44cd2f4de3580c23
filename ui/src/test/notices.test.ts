import { screen, waitFor, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, it } from "vitest";

import type { NoticesSetRequest } from "../lib/host/bindings";
import { noticesAfter } from "../lib/host/mock/notices";
import { expectAccessible, lastAsked, openDesk } from "./desk";

const secret = "typed-once-only";

async function openNotices(options: Parameters<typeof openDesk>[0] = {}) {
  location.hash = "#/settings";
  const desk = await openDesk({ rows: 20, ...options });
  await screen.findByRole("heading", { name: "Notifications" });
  return desk;
}

it("turns one kind on for one way, and leaves the secrets alone", async () => {
  const { host, user, container } = await openNotices();
  const box = await screen.findByRole("checkbox", { name: "A machine idles: Mail" });
  expect(box).not.toBeChecked();
  await user.click(box);
  await waitFor(() => expect(lastAsked(host, "notices_set")).toBeDefined());
  const asked = lastAsked(host, "notices_set") as NoticesSetRequest;
  expect(asked.kinds.find(({ kind }) => kind === "idle")).toEqual({
    kind: "idle",
    system: true,
    mail: true,
    webhook: false,
  });
  expect(asked).toMatchObject({ mail: null, password: null, webhook: null });
  await waitFor(() => expect(box).toBeChecked());
  await expectAccessible(container);
});

it("sends the password of the mail server once and keeps none of it in the page", async () => {
  const { host, user } = await openNotices();
  await user.click(await screen.findByRole("button", { name: "Set up… Mail" }));
  const dialog = await screen.findByRole("dialog", { name: "Mail server" });
  await expectAccessible(dialog);
  await user.type(within(dialog).getByLabelText("Server"), "smtp.example.com");
  await user.selectOptions(within(dialog).getByLabelText("Encryption"), "starttls");
  expect(within(dialog).getByLabelText("Port")).toHaveValue("587");
  await user.type(within(dialog).getByLabelText("User"), "desk");
  const field = within(dialog).getByLabelText("Password");
  expect(field).toHaveAttribute("type", "password");
  await user.type(field, secret);
  await user.type(within(dialog).getByLabelText("From"), "desk@example.com");
  await user.type(within(dialog).getByLabelText(/^To/), "a@example.com, b@example.com");
  let sent: string | null = null;
  host.answer("notices_set", async (change) => {
    sent = change.password;
    await tick();
    // While it is on its way the page has forgotten it already.
    expect(field).toHaveValue("");
    return (host.notices = noticesAfter(host.notices, change));
  });
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  expect(await screen.findByText("By smtp.example.com to a@example.com, b@example.com")).toBeInTheDocument();
  expect(sent).toBe(secret);
  expect(document.documentElement.outerHTML).not.toContain(secret);
  await user.click(screen.getByRole("button", { name: "Change… Mail" }));
  expect(await screen.findByPlaceholderText("kept; type one to replace it")).toHaveValue("");
});

it("keeps the address of a webhook like a key", async () => {
  const { host, user } = await openNotices();
  await user.click(await screen.findByRole("button", { name: "Set up… Webhook" }));
  const dialog = await screen.findByRole("dialog", { name: "Webhook" });
  const field = within(dialog).getByLabelText("Address");
  expect(field).toHaveAttribute("type", "password");
  await user.click(within(dialog).getByRole("radio", { name: "Telegram" }));
  await user.type(field, `https://hooks.example/${secret}`);
  expect(within(dialog).getByRole("button", { name: "Save" })).toBeDisabled();
  await user.type(within(dialog).getByLabelText("Chat"), "-1001");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  expect(await screen.findByText(/Set, form Telegram/)).toBeInTheDocument();
  const { kinds, webhook_form, webhook_chat } = lastAsked(host, "notices_set") as NoticesSetRequest;
  expect({ kinds: kinds.length, webhook_form, webhook_chat }).toEqual({
    kinds: 8,
    webhook_form: "telegram",
    webhook_chat: "-1001",
  });
  expect(document.documentElement.outerHTML).not.toContain(secret);
});

it("says why the last notice did not go", async () => {
  const { user, host } = await openNotices();
  host.answer("notices_try", () => ({ ...host.notices, problem: "smtp.example.com refused the login" }));
  await user.click(await screen.findByRole("button", { name: "Send a test" }));
  expect(await screen.findByText(/did not go: “?smtp.example.com refused the login/)).toBeInTheDocument();
});
