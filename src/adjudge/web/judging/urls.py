"""Addresses of the judge's pages."""

from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from adjudge.web.judging import account, crowd, views
from adjudge.web.judging import account as judge_account
from adjudge.web.judging.entrance import by_pass, by_session

urlpatterns = [
    path("j/<str:token>/", views.enter, name="enter"),
    path("work/<str:key>/welcome/", by_session(views.welcome), name="welcome"),
    path("work/<str:key>/sign-out/", by_session(views.leave), name="leave"),
    path("work/<str:key>/message/", by_session(views.message), name="message"),
    path("work/<str:key>/", by_session(views.work), name="work"),
    path("crowd/<str:key>/", crowd.enter, name="crowd"),
    path("mine/", judge_account.mine, name="mine"),
    path("mine/leave/", judge_account.leave, name="leave-all"),
    path("account/", account.sign_in_page, name="judge-sign-in"),
    path("account/forgotten/", account.forgotten, name="forgotten"),
    path("account/new-password/<str:word>/", account.new_password, name="new-password"),
]
for _name, _action in views.ACTIONS.items():
    urlpatterns += [
        path(f"work/<str:key>/{_name}", by_session(_action), name=f"work-{_name}"),
        # A pass travels in a header that no other site can send, and no cookie is looked at.
        path(f"task/{_name}", csrf_exempt(by_pass(_action)), name=f"task-{_name}"),
    ]
