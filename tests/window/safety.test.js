// What the window must not do, and what it shows when its own files are broken.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

import { Desk, gpudesk, log, newHome, offline, programs } from "./desk.js";

test("a damaged database is shown with the next step, and kept", async () => {
  const home = await newHome();
  await gpudesk(["offers", "--limit", "1"], { home });
  const name = (await readdir(home)).find((file) => file.endsWith(".sqlite3"));
  // What SQLite keeps beside the file could repair it.
  for (const rest of ["-wal", "-shm"]) await rm(path.join(home, name + rest), { force: true });
  const damage = "this was a database once ".repeat(400);
  await writeFile(path.join(home, name), damage);
  const desk = await Desk.open({ home, painted: false });
  try {
    await desk.says(name);
    await desk.says("Next step");
    assert.equal(await readFile(path.join(home, name), "utf8"), damage);
  } finally {
    await desk.close();
    await rm(home, { recursive: true, force: true });
  }
});

test("the page can reach nothing but the desk", async () => {
  const desk = await Desk.open();
  try {
    const tried = await desk.driver.executeAsyncScript(function () {
      const done = arguments[arguments.length - 1];
      const invoke = (command, request) =>
        window.__TAURI_INTERNALS__.invoke(command, request).then(
          () => "allowed",
          (error) => String(error?.code ?? error),
        );
      Promise.all([
        fetch("https://example.org/").then(
          () => "allowed",
          () => "refused",
        ),
        invoke("plugin:window|close", { label: "main" }),
        invoke("plugin:notification|notify", { options: { title: "x" } }),
        invoke("plugin:event|emit", { event: "gpudesk", payload: {} }),
        invoke("call", { command: "no_such_command", request: null }),
      ]).then(done);
    });
    assert.equal(tried[0], "refused");
    for (const answer of tried.slice(1, 4)) assert.match(answer, /not allowed/);
    assert.equal(tried[4], "request-invalid");
    await desk.run(() => {
      location.href = "https://example.org/";
    });
    assert.match(await desk.run(() => location.href), /^tauri:/);
  } finally {
    await desk.close();
  }
});

test("a second start ends by itself and hands its link to the first", async () => {
  const desk = await Desk.open();
  try {
    const { offers } = JSON.parse(
      await gpudesk(["offers", "cloud:gcp", "country:fi", "--limit", "1", "--json"], { home: desk.home }),
    );
    const link = `gpudesk://offer/${encodeURIComponent(offers[0].id)}`;
    const second = spawn(path.join(programs, "gpudesk-app"), [link], {
      env: { ...process.env, ...offline, GPUDESK_HOME: desk.home },
      stdio: ["ignore", log, log],
    });
    assert.equal(await new Promise((resolve) => second.on("exit", resolve)), 0);
    await desk.says("Finland");
    await desk.says("Google Cloud");
  } finally {
    await desk.close();
  }
});
