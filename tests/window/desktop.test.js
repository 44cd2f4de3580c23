// The desktop around the window: a key in the keyring, the tray's menu, a terminal of the system, notifications.
// Keyring and session bus are real; the system's terminal is a program that writes down how it was started.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

import { Desk, gpudesk, log, Market } from "./desk.js";
import { family } from "./process.js";

const run = promisify(execFile);
const ITEM = "/org/ayatana/NotificationItem";
const MENU = "com.canonical.dbusmenu";

let desk, keyring, market, notices, tools;

/** Waits until `look` gives something. */
async function waited(look, what) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < deadline, `waited in vain for ${what}`);
    await pause(50);
  }
}

/** Calls somebody on the session bus and gives the answer as text. Connections that serve nothing do not answer. */
async function bus(name, object, member, ...values) {
  const call = [
    "--session",
    "--print-reply",
    "--reply-timeout=1000",
    `--dest=${name}`,
    object,
    member,
    ...values,
  ];
  return (await run("dbus-send", call)).stdout;
}

/** The app's name on the session bus. */
async function appName() {
  const app = (await family(desk.service.pid)).find(({ name }) => name.startsWith("gpudesk-app"));
  const names = await bus("org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames");
  for (const [, name] of names.matchAll(/"(:[\d.]+)"/g)) {
    const asked = bus(
      "org.freedesktop.DBus",
      "/",
      "org.freedesktop.DBus.GetConnectionUnixProcessID",
      `string:${name}`,
    );
    // One that left meanwhile is not the one.
    const owner = await asked.catch(() => "");
    if (!owner.includes(`uint32 ${app.pid}\n`)) continue;
    const nodes = await bus(name, ITEM, "org.freedesktop.DBus.Introspectable.Introspect").catch(() => "");
    const icon = nodes.match(/<node name="([^"]+)"/)?.[1];
    if (icon) return { name, menu: `${ITEM}/${icon}/Menu` };
  }
  return null;
}

/** Entries of the tray's menu: `{ id, label }`. */
async function entries(app) {
  const layout = await bus(app.name, app.menu, `${MENU}.GetLayout`, "int32:0", "int32:-1", "array:string:");
  return layout.split("struct {").flatMap((part) => {
    const label = part.match(/"label"\s+variant\s+string "([^"]*)"/)?.[1];
    return label === undefined ? [] : [{ id: part.match(/int32 (\d+)/)[1], label }];
  });
}

/** Waits for an entry of the tray's menu. */
const entry = (app, words) =>
  waited(
    async () => (await entries(app)).find(({ label }) => label.includes(words)),
    `“${words}” in the tray's menu`,
  );

/** Whether there is a keyring that keeps secrets without asking anybody. */
async function unlocked() {
  const secrets = "org.freedesktop.secrets";
  // Asking for it by name would start another one, locked, if ours is not there yet.
  await bus("org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetNameOwner", `string:${secrets}`);
  const alias = await bus(
    secrets,
    "/org/freedesktop/secrets",
    "org.freedesktop.Secret.Service.ReadAlias",
    "string:default",
  );
  const collection = alias.match(/object path "(\/.+)"/)?.[1];
  if (!collection) return false;
  const locked = await bus(
    secrets,
    collection,
    "org.freedesktop.DBus.Properties.Get",
    "string:org.freedesktop.Secret.Collection",
    "string:Locked",
  );
  return locked.includes("boolean false");
}

async function filesOf(folder) {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all.filter((file) => file.isFile()).map((file) => path.join(file.parentPath, file.name));
}

before(async () => {
  keyring = spawn("gnome-keyring-daemon", ["--foreground", "--unlock", "--components=secrets"], {
    stdio: ["pipe", "ignore", log],
  });
  keyring.stdin.end("a password\n");
  await waited(() => unlocked().catch(() => false), "an unlocked keyring");
  const watched = "type='method_call',interface='org.freedesktop.Notifications',member='Notify'";
  notices = spawn("dbus-monitor", ["--session", watched], { stdio: ["ignore", "pipe", log] });
  notices.said = "";
  notices.stdout.setEncoding("utf8").on("data", (text) => (notices.said += text));

  tools = await mkdtemp(path.join(tmpdir(), "gpudesk-tools-"));
  const terminal = path.join(tools, "xdg-terminal-exec");
  await writeFile(
    terminal,
    `#!/bin/sh\nprintf '%s\\n' "$@" >"${tools}/unfinished"\nmv "${tools}/unfinished" "${tools}/started"\n`,
  );
  await chmod(terminal, 0o755);

  market = await Market.start();
  const env = { ...market.env, PATH: `${tools}:${process.env.PATH}` };
  desk = await Desk.open({ env });
});

after(async () => {
  await desk?.close();
  await market?.stop();
  notices?.kill();
  keyring?.kill();
  if (tools) await rm(tools, { recursive: true, force: true });
});

test("a key that was typed is in the keyring, and nowhere else", async () => {
  await desk.clickButton("Add an account", "[role=dialog]");
  const key = market.keys.GPUDESK_LAMBDA_KEY;
  // WebKit draws the choices itself, out of a driver's reach.
  await desk.find("form select");
  await desk.run(() => {
    const choice = document.querySelector("form select");
    choice.value = "lambda";
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  });
  // The field for its key, not the choice, names it now.
  await desk.until(
    () =>
      [...document.querySelectorAll("form label")].some(
        (label) => label.innerText.includes("Lambda") && label.querySelector("input[type=password]"),
      ),
    "the field for a key of Lambda",
  );
  await (await desk.find("form input[type=password]")).sendKeys(key);
  await desk.clickButton("Add", "form .acts");
  await desk.until(() => document.querySelector("form input[type=password]") === null, "the form to close");

  const told = async () =>
    JSON.parse(await gpudesk(["accounts", "--json"], { home: desk.home, env: market.env }));
  const account = (await told()).accounts.find(({ provider }) => provider === "lambda");
  assert.equal(account.key_in, "keyring");
  assert.ok(!(await desk.text()).includes(key));
  for (const file of await filesOf(desk.home)) {
    assert.ok(!(await readFile(file)).includes(key), `the key is in ${file}`);
  }
  assert.ok(
    !(await run("ps", ["-eo", "args"])).stdout.includes(key),
    "the key is among somebody's arguments",
  );
});

test("a machine that is ready is told, and the tray leads into it by the system's terminal", async () => {
  await desk.ask("sources_refresh", { sources: ["lambda"] });
  const listed = await gpudesk(["offers", "cloud:lambda", "instock", "--limit", "1", "--json"], {
    home: desk.home,
  });
  const [offer] = JSON.parse(listed).offers;
  const outcome = await desk.ask("launch", {
    offer: offer.id,
    account: "",
    name: "train-a",
    ssh_key: "",
    image: "",
    disk_gb: null,
    hours: null,
    max_spend: null,
    idle_minutes: null,
    on_expiry: "end",
    owner: null,
    project: null,
    max_price: null,
  });
  assert.equal(outcome.outcome, "requested", JSON.stringify(outcome));
  await waited(() => notices.said.includes("train-a"), "a notification");

  const app = await waited(appName, "the tray's menu");
  assert.match((await entry(app, "Running now")).label, /Running now: 1 · \$\d/);
  const { id } = await entry(app, "train-a");
  const click = [`int32:${id}`, "string:clicked", "variant:int32:0", "uint32:0"];
  await bus(app.name, app.menu, `${MENU}.Event`, ...click);
  const started = await waited(
    () => readFile(path.join(tools, "started"), "utf8").catch(() => null),
    "the system's terminal",
  );
  const words = started.trimEnd().split("\n");
  assert.deepEqual(words.slice(-2), ["--", "gpudesk-train-a"]);
  assert.equal(words.at(-4), "-F");

  await desk.ask("rental_end", { rental: "train-a" });
  await entry(app, "No machine is running");
  assert.ok(!(await entries(app)).some(({ label }) => label.includes("train-a")));
});
